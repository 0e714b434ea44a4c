// The search table of an .eh_frame_hdr, compared with the .eh_frame (section 3.7.4).
#pragma once

#include "grammars/jitdump/frame_entries.hpp"

namespace tracelint::jitdump {

// Checks what perf needs to find an FDE in the table. The header has room for its table. `facts` gets what must wait
// for the LOAD.
void check_table(const UnwindingData& data, const FrameIndex& index, FrameFacts& facts);

extern const RuleList kFrameTableRules;

}  // namespace tracelint::jitdump
