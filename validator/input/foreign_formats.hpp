// Names files of other formats that are mistaken for traces.
#pragma once

#include "validator/report/report.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint {

// What a file that begins with these bytes seems to be and what reads it, as a hint for the user; empty if nothing is
// known about it.
std::string_view foreign_format_hint(Bytes opening);

// Whether it is the start of a file in another format, not of a trace of which more is needed to recognise it.
bool is_foreign(Bytes opening);

// Whether these are records of perf_event_open, four or more that follow each other, in either byte order: what a ring
// buffer holds, without the header of a perf.data.
bool has_perf_records(Bytes opening);

// The finding about an input in no known format, or that has no bytes, or is not the file itself.
Diagnostic unrecognised(Bytes opening);

}  // namespace tracelint
