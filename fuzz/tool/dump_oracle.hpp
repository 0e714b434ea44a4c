// The oracle for dump: its time, memory and output are linear in the size of the file.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct DumpKind;

// What one dump costs.
struct DumpCost {
    uint64_t size = 0;     // bytes of the trace; decompressed ones if there is a container
    uint64_t work = 0;     // bytes looked at, as counted
    uint64_t written = 0;  // bytes of output
    uint64_t most = 0;     // that the kind may write
    bool is_known = false;
};

// Dumps the input without keeping the output: in the first kind, text, or in another one.
DumpCost dump_cost(Source& source);
DumpCost dump_cost(Source& source, const DumpKind& kind);

// What is wrong with the cost; nothing if it is within its bounds. Only builds with agreement checks count the work.
Complaint fault_of(const DumpCost& cost);
// The same for a file of which the smaller one is a shorter version.
Complaint fault_of(const DumpCost& cost, const DumpCost& smaller);

// The most bytes that a kind of dump may write for a trace of this size.
uint64_t most_dumped(const DumpKind& kind, uint64_t size);

}  // namespace tracelint
