// perf, followed through a recording (section 7): which records perf script and perf report -D come to, and whether
// they end there. Layouts are those that this version knows, not those of the file.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint::perfdata {

extern const Rule kPerfRefuses, kPerfCrashes, kPerfRisk, kPerfHangs;

enum class PerfVersion : uint8_t { v6_1, v7_2 };

Followed follow_perf_script(PerfVersion version, FollowContext& context);
Followed follow_perf_report(PerfVersion version, FollowContext& context);

}  // namespace tracelint::perfdata
