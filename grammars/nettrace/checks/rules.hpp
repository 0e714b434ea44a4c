// The rules of the folder, as each source lists them.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint::nettrace {

extern const RuleList kHeaderRules, kTraceRules, kContentRules, kEventRules, kPayloadRules, kOldEventRules,
    kThreadRules, kMetadataRules, kMetadataFieldRules, kPartRules, kLimitRules;

}  // namespace tracelint::nettrace
