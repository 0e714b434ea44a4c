// perf map, section 4.1: the walk over a file.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfmap {

// Checks a file to its end and writes what it finds to the report of `context`.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::perfmap
