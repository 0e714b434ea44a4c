// Ranges of addresses. Ranges that overlap are joined.
#pragma once

#include "validator/sorted_table.hpp"

namespace tracelint::gperftools {

class Ranges {
  public:
    Ranges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // Adds [first, last]; `overlaps` becomes true if it overlaps a range that was added before. False when the budget
    // is spent.
    [[nodiscard]] bool add(uint64_t first, uint64_t last, bool& overlaps);
    bool contains(uint64_t address);
    // Prefetches what a range that is added soon is compared with.
    void announce(uint64_t first) const { ranges_.announce(first); }
    void clear() { ranges_.clear(); }

  private:
    struct Range {
        uint64_t key;  // its first address
        uint64_t last;
    };
    // A range that overlaps [first, last], or null.
    Range* overlapping(uint64_t first, uint64_t last);

    SortedTable<Range, 32> ranges_;
};

}  // namespace tracelint::gperftools
