// The reference of a format as a document, made from its tables.
#pragma once

#include <string>

#include "validator/format.hpp"

namespace tracelint {

// Markdown: records, state machine and rules, in the order of the tables. Kept in
// grammars/<format>/reference.md, which a test holds to this.
std::string reference_of(const Format& format);

}  // namespace tracelint
