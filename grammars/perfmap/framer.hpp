// perf map, section 3.1: finds the lines of a file without judging them.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfmap {

std::unique_ptr<Framer> make_framer(const Settings& settings);

}  // namespace tracelint::perfmap
