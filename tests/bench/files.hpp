// The files that the benchmark runs on.
#pragma once

#include <array>

#include "tests/files/hostile.hpp"

namespace tracelint::bench {

inline constexpr uint64_t kMegabyte = 1'000'000;

// Another reader of such files.
struct Peer {
    const char* words = nullptr;  // of its command; the file's path comes behind them
    uint64_t bytes = 0;           // of the file that it gets: most take seconds for a few megabytes
};

struct File {
    const char* name;
    const char* what;
    uint64_t bytes;
    // Writes a file of about this size.
    void (*write)(const files::Target& to);
    std::array<Peer, 2> peers{};
};

// One of the hostile files.
File hostile(std::string_view name, std::array<Peer, 2> peers = {});

std::span<const File> jitdump_files();
std::span<const File> samply_files();
std::span<const File> xray_files();
std::span<const File> gperftools_files();
std::span<const File> mlpd_files();

}  // namespace tracelint::bench
