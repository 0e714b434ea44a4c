// Files with compressed records give other findings in builds without zstd.
#pragma once

#include <string_view>

#include "tests/support/skip.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint {

// Whether the file has a zstd frame that this build cannot open; the test is then skipped.
inline bool skips_zstd(std::string_view bytes, const std::string& name) {
    const std::string_view magic(reinterpret_cast<const char*>(kZstdMagic.data()), kZstdMagic.size());
    if (has_zstd() || bytes.find(magic) == std::string_view::npos) return false;
    skip(name + ": this build has no zstd");
    return true;
}

}  // namespace tracelint
