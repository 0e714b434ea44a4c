// Folders of small files: what a check costs before it reads the first record.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tracelint::bench {

struct SmallFiles {
    const char* name;
    unsigned count;
    std::span<const char* const> sources;  // files of the corpus of at most 8 KB
};

std::span<const SmallFiles> all_small_files();

// Copies the sources into the folder, in turn, until it has as many files. Returns the sum of their sizes.
uint64_t write_small_files(const std::string& folder, const SmallFiles& files);

}  // namespace tracelint::bench
