// Names files of other formats that are mistaken for traces.
#pragma once

#include "validator/bytes.hpp"
#include "validator/report.hpp"

namespace tracelint {

// What a file that begins with these bytes seems to be and what reads it, as a hint for the user; empty if nothing is
// known about it.
std::string_view foreign_format_hint(Bytes opening);

// The finding about an input in no known format, or that has no bytes, or is not the file itself.
Diagnostic unrecognised(Bytes opening);

}  // namespace tracelint
