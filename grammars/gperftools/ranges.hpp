// Ranges of addresses. Ranges that overlap are joined.
#pragma once

#include "validator/sorted_table.hpp"

namespace tracelint::gperftools {

// What a range has in common with those that were added before it.
enum class Overlap : uint8_t {
    none,
    repeated,  // it is the same as one that overlaps no other
    partial,   // anything else
};

class Ranges {
  public:
    Ranges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // Adds [first, last]. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t first, uint64_t last, Overlap& overlap);
    bool contains(uint64_t address);
    // Prefetches what a range that is added soon is compared with.
    void announce(uint64_t first) const { ranges_.announce(first); }
    void clear() { ranges_.clear(); }

  private:
    struct Range {
        uint64_t key;  // its first address
        uint64_t last;
        bool is_joined;  // of several that overlap
    };
    // A range that overlaps [first, last], or null.
    Range* overlapping(uint64_t first, uint64_t last);

    SortedTable<Range, 32> ranges_;
};

}  // namespace tracelint::gperftools
