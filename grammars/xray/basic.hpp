// xray, section 3.5: basic mode, records of 32 bytes behind each other (rules 50 to 61).
#pragma once

#include "grammars/xray/basic_machine.hpp"
#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Walks the records of a file whose header is sound and that goes on behind it.
void validate_basic(Window& window, ValidationContext& context, const HeaderFacts& header,
                    WalkMode mode = WalkMode::fast);

extern const RuleList kBasicRules;

}  // namespace tracelint::xray
