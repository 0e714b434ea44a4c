// Makes gzip containers for tests and oracles.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

struct Packing {
    int level = 9;    // 0: stored as it is
    int window = 15;  // bits
    int memory = 9;   // 1 to 9; small ones are quick to set up
};

// One gzip member: 10 bytes of header, deflate data, CRC-32, length.
std::string gzip_member(std::string_view data, const Packing& packing = {});

}  // namespace tracelint
