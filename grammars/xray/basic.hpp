// XRay, section 3.5: the walk through a basic file, a sequence of records of 32 bytes.
#pragma once

#include "grammars/xray/basic_machine.hpp"
#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Checks what follows the header, which must be sound.
void validate_basic(Window& window, ValidationContext& context, const HeaderFacts& header,
                    WalkMode mode = WalkMode::fast);

extern const RuleList kBasicRules;

}  // namespace tracelint::xray
