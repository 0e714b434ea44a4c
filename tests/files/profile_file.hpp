// Writes gperftools CPU profiles of 8-byte words.
#pragma once

#include <array>
#include <vector>

#include "tests/files/output_file.hpp"

namespace tracelint::files {

inline constexpr uint64_t kProgram = 0x555555000000;
inline constexpr uint64_t kPage = 4096;

class ProfileFile : public OutputFile {
  public:
    explicit ProfileFile(const Target& to) : OutputFile(to) { header(); }

    void header() { slots({0, 3, 0, 10'000, 0}); }

    void slots(std::initializer_list<uint64_t> values) {
        for (const uint64_t value : values) number(value, 8);
    }
    void record(uint64_t count, const std::vector<uint64_t>& chain) {
        flush_if_large();
        slots({count, chain.size()});
        for (const uint64_t pc : chain) number(pc, 8);
    }
    void trailer() { slots({0, 1, 0}); }
    void mapping(uint64_t start, uint64_t end, const char* path) {
        std::array<char, 160> line;
        const int length = std::snprintf(line.data(), line.size(), "%08lx-%08lx r-xp 00000000 00:00 %-11u %s\n", start,
                                         end, 1234u, path);
        flush_if_large();
        bytes({line.data(), static_cast<size_t>(length)});
    }
};

}  // namespace tracelint::files
