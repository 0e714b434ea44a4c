// The mappings that perf 6.1 makes of a dump's functions (section 8): where two of them begin at one address, it may
// cut both again and again.
#pragma once

#include "validator/reader.hpp"

namespace tracelint::jitdump {

extern const Rule kPerfEmptyCode;

// Where perf may hang; empty: nowhere, or the budget is spent.
std::optional<Forecast> follow_perf_mappings(const ReaderFile& file, Window& trace, Budget& budget);

}  // namespace tracelint::jitdump
