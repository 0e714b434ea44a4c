// The least that any reader of a format must do: find every record and add up its fields, without a single check. What
// tracelint takes is compared with this.
#pragma once

#include <cstdint>

namespace tracelint::bench {

struct BareSum {
    std::uint64_t records = 0;  // of Mono's profiler and of .NET the events; buffers and blocks are not counted
    std::uint64_t fields = 0;   // the sum of their values
};

BareSum bare_sum(const char* path);

// Reads the file, or all files of a folder, and prints the sum. Returns an exit status.
int bare_loop(const char* path);

}  // namespace tracelint::bench
