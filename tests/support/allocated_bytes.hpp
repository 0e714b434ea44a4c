// How much memory is allocated, for tests of what goes back.
#pragma once

#include <cstddef>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tracelint {

// Bytes allocated and not freed; 0 on systems without a counter.
inline size_t allocated_bytes() {
#ifdef __GLIBC__
    const auto memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
#else
    return 0;
#endif
}

}  // namespace tracelint
