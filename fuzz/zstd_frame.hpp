// Compresses data with zstd for tests and oracles.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

struct ZstdPacking {
    int level = 3;             // of compression
    bool has_checksum = true;  // at the end of the frame
    bool has_size = true;      // in its header, which then may have no window
};

// One frame. Only in builds with libzstd; others give the data as they are.
std::string zstd_frame(std::string_view data, const ZstdPacking& packing = {});

// A frame that holds no data for a decompressor.
std::string skippable_frame(std::string_view content);

}  // namespace tracelint
