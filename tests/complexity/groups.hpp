// What hostile groups of files cost.
#pragma once

#include "tests/files/hostile.hpp"

namespace tracelint {

// Checks the group at sizes that double up to `largest` bytes or its own, each in a process of its own, and prints what
// that takes. Whether every size went well.
bool run_group(const files::HostileGroup& group, uint64_t largest);

}  // namespace tracelint
