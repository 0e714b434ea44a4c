// xray, section 3.6: profiles, blocks of call paths (rules 7 and 70 to 81).
#pragma once

#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Checks a file that begins with the magic of a profile in this byte order, header included.
void validate_profile(Window& window, ValidationContext& context, ByteOrder order);

extern const RuleList kProfileRules;

}  // namespace tracelint::xray
