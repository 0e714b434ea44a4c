// perf map, section 3.1: the line.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::perfmap {

// clang-format off

inline constexpr auto kLine = record("line", kNoTag, "a function: start and size of its code in hexadecimal, then its name", {
    bytes("text")  .says("with its LF"),
});

// clang-format on

inline constexpr const Record* kRecords[] = {&kLine};

}  // namespace tracelint::perfmap
