// Tests that cannot fail here, because a program is not installed or the build does not measure what they ask.
#pragma once

#include <cstdio>
#include <string>

namespace tracelint {

// Whether a test was skipped; the test program then tells ctest so.
inline bool was_skipped = false;

inline void skip(const std::string& reason) {
    std::printf("[skipped] %s\n", reason.c_str());
    was_skipped = true;
}

}  // namespace tracelint
