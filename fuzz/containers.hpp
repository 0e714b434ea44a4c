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

struct ZstdPacking {
    int level = 3;             // of compression
    bool has_checksum = true;  // at the end of the frame
    bool has_size = true;      // in its header, which then may have no window
};

// One zstd frame. Only in builds with libzstd; others give the data as they are.
std::string zstd_frame(std::string_view data, const ZstdPacking& packing = {});

// A zstd frame that holds no data for a decompressor.
std::string skippable_frame(std::string_view content);

}  // namespace tracelint
