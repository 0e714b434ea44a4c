// XRay, section 4.1: the walk through an FDR file, from buffer to buffer.
#pragma once

#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Checks what follows the header, which must be sound.
void validate_fdr(Window& window, ValidationContext& context, const HeaderFacts& header,
                  WalkMode mode = WalkMode::fast);

extern const RuleList kFdrWalkRules;

}  // namespace tracelint::xray
