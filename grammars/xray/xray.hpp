// XRay, section 3.5: the walk through a basic file, a sequence of records of 32 bytes.
#pragma once

#include "grammars/xray/checks/header.hpp"
#include "grammars/xray/machine_basic.hpp"

namespace tracelint::xray {

// Checks what follows the header, which must be sound.
void validate_basic(Window& window, ValidationContext& context, const HeaderFacts& header,
                    WalkMode mode = WalkMode::fast);

extern const RuleList kBasicRules;

// XRay, section 3.6: profiles, which are blocks of call paths.

// Checks a file that begins with the magic number of a profile in this byte order, header included.
void validate_profile(Window& window, ValidationContext& context, ByteOrder order);

extern const RuleList kProfileRules;

// XRay, section 4.1: the walk through an FDR file, from buffer to buffer.

// Checks what follows the header, which must be sound.
void validate_fdr(Window& window, ValidationContext& context, const HeaderFacts& header,
                  WalkMode mode = WalkMode::fast);

extern const RuleList kFdrWalkRules;

std::unique_ptr<Framer> make_framer(const Settings& settings);

}  // namespace tracelint::xray
