// The mappings that perf 6.1 makes of a dump's functions (section 8). It keeps those of a process in a tree, sorted by
// their start. A new one cuts all that it overlaps, one after the other: of what lies before its start it makes a
// mapping again, and adds it after those with the same start. With two of those it never comes to an end.
#pragma once

#include "validator/memory/sorted_table.hpp"

namespace tracelint::jitdump {

class PerfMappings {
  public:
    PerfMappings(Budget& budget, WorkCounter& work) : starts_(budget, work) {}

    enum class Added : uint8_t { done, hangs, no_memory };
    Added add(uint64_t start, uint64_t size);

  private:
    // The mappings that begin at one address.
    struct Start {
        uint64_t key = 0;
        uint64_t end = 0;  // of one that has bytes; 0: there is none
        bool has_empty = false;
    };

    // The entry of the address, a new one if there was none; null: the budget is spent.
    Start* at(uint64_t address);
    bool keep_rest(uint64_t start, uint64_t end);

    SortedTable<Start> starts_;
};

}  // namespace tracelint::jitdump
