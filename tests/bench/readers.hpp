// The readers that tracelint is compared with.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tests/bench/process.hpp"

namespace tracelint::bench {

struct Reader {
    const char* name;
    const char* command;      // the path of the file is appended
    uint64_t bytes;           // of the largest file that it is given: most take a second for a few megabytes
    bool after_perf = false;  // takes the file from a recording of perf, made of a process that maps it
};

std::span<const Reader> jitdump_readers();
std::span<const Reader> xray_readers();
std::span<const Reader> gperftools_readers();
std::span<const Reader> pprof_readers();
std::span<const Reader> mlpd_readers();
std::span<const Reader> perfdata_readers();
std::span<const Reader> nettrace_readers();

// Reads the file once, for at most a minute.
Run read_once(const Reader& reader, const std::string& path);

// Maps the file as code under the name by which perf finds it in a recording of this process.
int map_as_code(const char* path, const char* folder);

}  // namespace tracelint::bench
