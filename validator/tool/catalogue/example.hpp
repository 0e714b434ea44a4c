// An example of a violation, taken from the rule's case, for `tracelint explain`.
#pragma once

#include <string>

#include "validator/tables/rule.hpp"

namespace tracelint {

// The first violation of the rule's case: what is wrong, the bytes with the place marked, how the file is made, and its
// findings. Ends in a newline; empty if the rule has no case.
std::string example_of(const Rule& rule);

}  // namespace tracelint
