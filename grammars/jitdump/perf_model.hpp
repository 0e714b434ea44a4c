// perf, followed through a dump (section 8): where it may hang over the mappings of the functions, crashes at a MOVE,
// or writes past a line table.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint::jitdump {

extern const Rule kPerfEmptyCode, kPerfLineTable, kPerfMove, kPerfBuildId;

enum class PerfVersion : uint8_t { v6_1, v7_2 };

// The first such place; no opinion if there is none.
Followed follow_perf_inject(PerfVersion version, FollowContext& context);

}  // namespace tracelint::jitdump
