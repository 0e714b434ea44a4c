// The rules about what the user expects.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint {

RuleList expectation_rules();
extern const Rule kExpectedFormat;
extern const Rule kExpectedStatistic;
extern const Rule kExpectedName;
extern const Rule kExpectedFile;

}  // namespace tracelint
