// Renders the reference of a grammar from its tables.
#pragma once

#include <string>
#include <vector>

#include "validator/format.hpp"

namespace tracelint {

// Markdown: records, state machines and rules, in the order of the tables. Its links lead to the specifications, as if
// it were grammars/<grammar>/reference.md.
std::string reference_of(const Grammar& grammar);

// Those that have a reference: of all formats and of groups.
std::vector<const Grammar*> all_grammars();

}  // namespace tracelint
