// The reference of a grammar as a document, made from its tables.
#pragma once

#include <string>

#include "validator/format.hpp"

namespace tracelint {

// Markdown: records, state machines and rules, in the order of the tables. Kept in
// grammars/<grammar>/reference.md, which a test holds to this.
std::string reference_of(const Grammar& grammar);

}  // namespace tracelint
