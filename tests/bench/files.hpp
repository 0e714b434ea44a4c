// The files that the benchmark runs on.
#pragma once

#include <array>

#include "tests/files/hostile.hpp"

namespace tracelint::bench {

inline constexpr uint64_t kMegabyte = 1'000'000;

// Another reader of the same format.
struct Peer {
    const char* command = nullptr;  // the path of the file is appended
    uint64_t bytes = 0;             // size of its file; most readers take seconds for a few megabytes
};

struct File {
    const char* name;
    const char* what;
    uint64_t bytes;
    // Writes a file of about the target's size.
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
