// perf 6.1, followed through a recording (section 7): which records perf script and perf report -D come to, and whether
// they end there. Layouts are those that this version knows, not those of the file.
#pragma once

#include "validator/reader.hpp"

namespace tracelint::perfdata {

extern const Rule kPerfRefuses, kPerfCrashes, kPerfRisk, kPerfHangs;

std::optional<Forecast> follow_perf_script(const ReaderFile& file, Window& trace, Budget& budget);
std::optional<Forecast> follow_perf_report(const ReaderFile& file, Window& trace, Budget& budget);

}  // namespace tracelint::perfdata
