// What a violation looks like: the case of a rule, for `tracelint explain`.
#pragma once

#include <string>

#include "validator/rule.hpp"

namespace tracelint {

// The first violation of the rule's case: what is wrong, the bytes with the place marked, how they came
// about, and what is found in them. Ends in a newline; empty when the rule has no case.
std::string example_of(const Rule& rule);

}  // namespace tracelint
