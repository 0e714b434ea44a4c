// perf.data, section 4: the walk over a file.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfdata {

// Checks a file to its end and writes what it finds to the report of `context`.
void validate_file(Window& window, ValidationContext& context, WalkMode mode);

}  // namespace tracelint::perfdata
