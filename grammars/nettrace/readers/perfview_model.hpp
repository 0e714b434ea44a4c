// TraceEvent of 2026-07, followed through the thread tables of version 6 (section 8): whether it keeps the threads.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint::nettrace {

extern const Rule kFreedThreadIndex, kWrongThread;

// No opinion on other versions, nor on a file whose threads it keeps.
Followed follow_perfview(FollowContext& context);

}  // namespace tracelint::nettrace
