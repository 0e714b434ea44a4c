// Compresses data for tests and oracles.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

struct Packing {
    int level = 9;    // of compression; 0: stored
    int window = 15;  // size of the window as a power of two
    int memory = 9;   // memory level of zlib, 1 to 9; low levels are quick to set up
};

// One gzip member: 10 bytes of header, deflate data, CRC-32, length.
std::string gzip_member(std::string_view data, const Packing& packing = {});

}  // namespace tracelint
