// google-pprof 2.10, followed through the words of a profile (section 8): whether it gets to the mapped files.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint::gperftools {

extern const Rule kPerlStops, kPerlSlow;

// No opinion if the file begins with text or is shorter than a header.
Followed follow_google_pprof(FollowContext& context);

}  // namespace tracelint::gperftools
