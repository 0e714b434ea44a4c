// What tests of gzip and zstd compress.
#pragma once

#include <random>
#include <string>

namespace tracelint {

// Text that deflate and zstd pack with literals, short and long matches; the same for the same size.
inline std::string text_to_compress(size_t size) {
    std::mt19937_64 random(size);
    std::string text;
    while (text.size() < size) {
        text += "record " + std::to_string(random() % 1000);
        text += std::string(random() % 8 == 0 ? 400 : 2, static_cast<char>(random()));
    }
    text.resize(size);
    return text;
}

}  // namespace tracelint
