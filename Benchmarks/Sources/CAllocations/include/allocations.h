#pragma once

/// How often this process has asked for memory so far.
unsigned long rx_allocations(void);
