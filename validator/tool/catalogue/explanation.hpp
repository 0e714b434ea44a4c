// What a rule demands and why, and what readers do with files that break it.
#pragma once

#include <string>

#include "validator/tables/rule.hpp"

namespace tracelint {

// Labelled paragraphs of at most 78 columns, without the example. Ends in a newline.
std::string explanation_of(const Rule& rule);

}  // namespace tracelint
