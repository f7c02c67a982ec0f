#pragma once

// What the kernel offers beyond what Swift's Glibc module lists.
#include <sys/signalfd.h>
