// The framing of .eh_frame_hdr and .eh_frame (sections 3.7.1 and 3.7.2). Instructions and augmentations are not
// decoded.
#pragma once

#include "grammars/jitdump/state.hpp"

namespace tracelint::jitdump {

// `data`: all of the unwinding data; its .eh_frame_hdr has `header_size` > 0 bytes.
void check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size);

extern const RuleList kEhFrameRules;

}  // namespace tracelint::jitdump
