// What perf 6.1 makes of the line table of a big-endian dump (section 8): it swaps the bytes of the entries as if all
// had 16, so names lose their ends, and it changes an address in each of the entries that it then believes in.
#pragma once

#include "validator/tables/bytes.hpp"

namespace tracelint::jitdump {

// Whether it writes past its copy of the `entries`, of which the record claims `count`.
bool overruns_perf_line_table(Bytes entries, uint64_t count);

}  // namespace tracelint::jitdump
