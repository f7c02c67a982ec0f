#pragma once

#include <stdbool.h>

/// Starts or stops the counting of allocations.
void rx_count_allocations(bool on);

/// The number of counted allocations.
unsigned long rx_allocations(void);
