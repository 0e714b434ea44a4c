// What the files of this folder offer to the format.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfmap {

// perf map, section 2: whether a file is a perf map.

// Whether this is the name of a perf map: perf-<decimal pid>.map.
bool is_map_name(std::string_view file_name);

int recognise(const Opening& opening);

// perf map, section 3.1: finds the lines of a file without judging them.

std::unique_ptr<Framer> make_framer(const Settings& settings);

// perf map, section 4.1: the walk over a file.

// Checks a file to its end and writes what it finds to the report of `context`.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::perfmap
