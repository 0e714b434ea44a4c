// xray, section 4.1: the walk over a flight data recorder file and its buffers.
#pragma once

#include "grammars/xray/header.hpp"

namespace tracelint::xray {

// Walks the buffers of a file whose header is sound and that goes on behind it.
void validate_fdr(Window& window, ValidationContext& context, const HeaderFacts& header,
                  WalkMode mode = WalkMode::fast);

}  // namespace tracelint::xray
