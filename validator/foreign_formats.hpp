// Names files of other formats that are mistaken for traces.
#pragma once

#include "validator/bytes.hpp"

namespace tracelint {

// What a file that begins with these bytes seems to be and what reads it, as a hint for the user; empty if nothing is
// known about it.
std::string_view foreign_format_hint(Bytes opening);

}  // namespace tracelint
