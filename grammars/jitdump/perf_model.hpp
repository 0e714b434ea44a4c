// perf 6.1, followed through a dump (section 8): where it may hang over the mappings of the functions, or write past a
// line table.
#pragma once

#include "validator/reader.hpp"

namespace tracelint::jitdump {

extern const Rule kPerfEmptyCode, kPerfLineTable;

// The first such place; empty: there is none, or the budget is spent.
std::optional<Forecast> follow_perf_inject(const ReaderFile& file, Window& trace, Budget& budget);

}  // namespace tracelint::jitdump
