// Finds .eh_frame_hdr and .eh_frame in unwinding data and checks them (sections 3.7 and 3.7.1).
#pragma once

#include "grammars/jitdump/unwinding_range.hpp"

namespace tracelint::jitdump {

// `data`: all of the unwinding data; its .eh_frame_hdr has `header_size` > 0 bytes. Returns what must be compared with
// the code of the LOAD.
UnwindingRange check_eh_frame(State& state, const View<kUnwindingInfo>& info, Bytes data, uint64_t header_size);

extern const RuleList kEhFrameRules;

}  // namespace tracelint::jitdump
