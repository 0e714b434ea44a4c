// The files that the benchmark runs on.
#pragma once

#include <span>
#include <string_view>

#include "tests/bench/readers.hpp"
#include "tests/files/hostile.hpp"

namespace tracelint::bench {

inline constexpr uint64_t kMegabyte = 1'000'000;

struct File {
    const char* name;
    const char* what;
    uint64_t bytes;
    // Writes a file of about the target's size.
    void (*write)(const files::Target& to);
    // Those that read such a file.
    std::span<const Reader> readers{};

    // Whether it has the shape of a real file; these make the short table.
    bool is_real() const { return std::string_view(name).starts_with("real-"); }
};

// One of the hostile files.
File hostile(std::string_view name, std::span<const Reader> readers = {});

std::span<const File> jitdump_files();
std::span<const File> samply_files();
std::span<const File> xray_files();
std::span<const File> gperftools_files();
std::span<const File> pprof_files();
std::span<const File> mlpd_files();
std::span<const File> perfdata_files();
std::span<const File> nettrace_files();

}  // namespace tracelint::bench
