// The versions of perf that are followed through recordings (section 7).
#pragma once

#include <cstdint>

namespace tracelint::perfdata {

enum class PerfVersion : uint8_t { v6_1, v7_2 };

}  // namespace tracelint::perfdata
