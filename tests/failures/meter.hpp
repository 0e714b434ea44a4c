// Measures the memory that is allocated. This program's allocations, mapped memory included, come by here (fault.cpp).
#pragma once

#include <cstdint>

namespace tracelint {

// Bytes allocated and not freed now, as the system gave them.
uint64_t allocated_now();
// The most there were since the last reset_peak().
uint64_t allocated_at_most();
void reset_peak();

}  // namespace tracelint
