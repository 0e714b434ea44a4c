// XRay, section 3.6: profiles, which are blocks of call paths.
#pragma once

#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Checks a file that begins with the magic number of a profile in this byte order, header included.
void validate_profile(Window& window, ValidationContext& context, ByteOrder order);

extern const RuleList kProfileRules;

}  // namespace tracelint::xray
