// perf 7.2 and the features of a recording (section 3.8). It refuses a recording with one that it cannot make sense of.
#pragma once

#include "validator/memory/hash_table.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {

// What it keeps of the features.
struct PerfEnvironment {
    explicit PerfEnvironment(FollowContext& with) : context(with), listed(with.budget, with.work) {}

    FollowContext& context;
    uint64_t events = 0;  // that the recording has, set by the caller
    uint64_t processors = 0, online_processors = 0;
    uint64_t most_plain = 0;        // bytes of a decompressed payload; 0: nothing is decompressed
    bool has_capabilities = false;  // of a PMU
    uint64_t named_events = 0;      // the first so many events have names

    // Adds a processor to the last list of domains. False: it is there already, or the model must end.
    bool list(uint64_t processor);

    struct Processor {
        uint64_t key = 0;      // its number
        uint64_t in_list = 0;  // the last list that has it, from 1 on
        bool is_vacant() const { return in_list == 0; }
    };
    HashTable<Processor> listed;
    uint64_t lists = 0;
};

inline constexpr unsigned kPerf7_2Features = 35;  // numbers that it knows

// Whether it can make sense of the feature. `in_file`: it is a section of a file, not a record of a stream.
bool take_strictly(unsigned feature, Bytes section, ByteOrder order, bool in_file, PerfEnvironment& environment);

}  // namespace tracelint::perfdata
