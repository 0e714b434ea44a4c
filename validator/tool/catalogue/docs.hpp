// Renders the reference of a grammar from its tables.
#pragma once

#include <string>

#include "validator/format.hpp"

namespace tracelint {

// Markdown: records, state machines and rules, in the order of the tables. A test compares it with
// grammars/<grammar>/reference.md.
std::string reference_of(const Grammar& grammar);

}  // namespace tracelint
