// perf 6.1 and 7.2, followed through a dump (section 8): where it may hang over the mappings of the functions, crashes
// at a MOVE, or writes past a line table.
#pragma once

#include "validator/memory/sorted_table.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint::jitdump {

extern const Rule kPerfEmptyCode, kPerfLineTable, kPerfMove, kPerfBuildId;

enum class PerfVersion : uint8_t { v6_1, v7_2 };

// The first such place; no opinion if absent.
Followed follow_perf_inject(PerfVersion version, FollowContext& context);

// The mappings that perf 6.1 makes of a dump's functions. It keeps those of a process in a tree, sorted by their start.
// A new one cuts all that it overlaps, one after the other: of what is before its start it makes a mapping again, and
// adds it after those with the same start. With two of those it never comes to an end.
class PerfMappings {
  public:
    PerfMappings(Budget& budget, WorkCounter& work) : starts_(budget, work) {}

    enum class Added : uint8_t { done, hangs, no_memory };
    Added add(uint64_t start, uint64_t size);

  private:
    // The mappings that begin at one address.
    struct Start {
        uint64_t key = 0;
        uint64_t end = 0;  // of one that has bytes; 0 if absent
        bool has_empty = false;
    };

    // The entry of the address, created on first use; null if the budget is spent.
    Start* at(uint64_t address);
    bool keep_rest(uint64_t start, uint64_t end);

    SortedTable<Start> starts_;
};

}  // namespace tracelint::jitdump
