#pragma once

#include <stdbool.h>

/// Whether requests for memory are counted from now on.
void rx_count_allocations(bool on);

/// How often this process has asked for memory while that was counted.
unsigned long rx_allocations(void);
