// The oracles for texts that a user writes: configurations with what they expect of files, lists of files, baselines.
// Any text is one, or a mistake with a place in it, and using it ends.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

Complaint configuration(std::string_view text);

// `seed` chooses the pieces in which the list is read, and what ends a name.
Complaint file_list(std::string_view text, uint64_t seed);

Complaint baseline_holds(std::string_view text);

}  // namespace tracelint
