// perf map, section 2: whether a file is a perf map.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfmap {

// Whether this is the name of a perf map: perf-<decimal pid>.map.
bool is_map_name(std::string_view file_name);

int recognise(const Opening& opening);

}  // namespace tracelint::perfmap
