// google-pprof 2.10, followed through the words of a profile (section 8): whether it gets to the mapped files.
#pragma once

#include "validator/reader.hpp"

namespace tracelint::gperftools {

extern const Rule kPerlStops, kPerlSlow;

// Empty: it cannot be told, since the file begins with text or is shorter than a header.
std::optional<Forecast> follow_google_pprof(const ReaderFile& file, Window& trace, Budget& budget);

}  // namespace tracelint::gperftools
