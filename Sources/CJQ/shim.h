#pragma once

#include <stdlib.h>

#include <jv.h>
#include <jq.h>
