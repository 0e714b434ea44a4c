// Ranges of addresses. Ranges that overlap are joined.
#pragma once

#include "validator/sorted_table.hpp"

namespace tracelint::gperftools {

// What a range has in common with those that were added before it.
enum class Overlap : uint8_t {
    none,
    shared,  // it is the same as one that overlaps no other, and belongs to another image
    other,
};

class Ranges {
  public:
    Ranges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // Adds [first, last], the range of `image`; 0: of none that can share it. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t first, uint64_t last, uint64_t image, Overlap& overlap);
    bool contains(uint64_t address);
    // Prefetch what a range that is added soon is compared with, in two steps (SortedTable).
    void prefetch_group(uint64_t first) const { ranges_.prefetch_group(first); }
    void prefetch(uint64_t first) const { ranges_.prefetch(first); }
    void clear() { ranges_.clear(); }

  private:
    struct Range {
        uint64_t key;  // its first address
        uint64_t last;
        uint64_t image;  // 0 if several that overlap were joined
    };
    // A range that overlaps [first, last], or null.
    Range* overlapping(uint64_t first, uint64_t last);

    SortedTable<Range, 32, 32> ranges_;
};

}  // namespace tracelint::gperftools
