// Folders of small files: what a check costs before it reads the first record.
#pragma once

#include <cstdint>
#include <string>

namespace tracelint::bench {

// Copies files of the corpus of at most 8 KB into the folder, in turn, until it has `count` files. Returns the sum of
// their sizes.
uint64_t write_small_files(const std::string& folder, unsigned count);

}  // namespace tracelint::bench
