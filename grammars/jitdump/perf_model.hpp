// perf, followed through a dump (section 8): where it may hang over the mappings of the functions, crashes at a MOVE,
// or writes past a line table.
#pragma once

#include "validator/reader.hpp"

namespace tracelint::jitdump {

extern const Rule kPerfEmptyCode, kPerfLineTable, kPerfMove, kPerfBuildId;

enum class PerfVersion : uint8_t { v6_1, v7_2 };

// The first such place; empty: there is none, or the budget is spent.
std::optional<Forecast> follow_perf_inject(PerfVersion version, const ReaderFile& file, Window& trace, Budget& budget);

}  // namespace tracelint::jitdump
