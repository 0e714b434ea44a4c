// The files that the benchmark runs on.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tracelint::bench {

inline constexpr uint64_t kMegabyte = 1'000'000;

struct File {
    const char* name;
    const char* what;
    uint64_t bytes;
    // Writes a file of about this size.
    void (*write)(const std::string& path, uint64_t bytes);
    // Another reader of such files, if there is one: its words, the file's path comes behind them.
    const char* peer = nullptr;
};

std::span<const File> jitdump_files();
std::span<const File> samply_files();
std::span<const File> xray_files();

}  // namespace tracelint::bench
