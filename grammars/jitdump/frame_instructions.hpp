// The call frame instructions of a CIE or FDE (section 3.7.3).
#pragma once

#include "grammars/jitdump/unwinding_data.hpp"

namespace tracelint::jitdump {

// Checks that the instructions are known, that their operands end in the entry, and that they restore only states that
// they remembered. `at`: of the instructions, in bytes from the start of the .eh_frame. `pointer_encoding`: of the CIE.
void check_instructions(const UnwindingData& data, uint64_t at, uint64_t size, uint8_t pointer_encoding);

extern const RuleList kInstructionRules;

}  // namespace tracelint::jitdump
