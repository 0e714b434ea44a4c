// The files that the benchmark runs on, written straight to disk; deterministic.
#pragma once

#include <cstdint>
#include <string>

namespace tracelint::bench {

struct File {
    const char* name;
    const char* what;
    uint64_t bytes;
    void (*write)(const std::string& path, uint64_t bytes);
    bool hostile = false;
};

extern const File kFiles[];
extern const unsigned kFileCount;

}  // namespace tracelint::bench
