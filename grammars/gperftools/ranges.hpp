// The addresses that the mapping lines of a profile list.
#pragma once

#include "validator/memory/sorted_table.hpp"

namespace tracelint::gperftools {

// What a range has in common with those that were added before it.
enum class Overlap : uint8_t {
    none,
    shared,  // it is the same as one that overlaps no other, and belongs to another image
    other,
};

// A set of addresses.
class AddressSet {
  public:
    AddressSet(Budget& budget, WorkCounter& work) : spans_(budget, work) {}

    // Adds [first, last]. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t first, uint64_t last);
    bool contains(uint64_t address) { return overlapping(address, address) != nullptr; }
    // Prefetch what a range that is added soon is compared with, in two steps (SortedTable).
    void prefetch_group(uint64_t first) const { spans_.prefetch_group(first); }
    void prefetch(uint64_t first) const { spans_.prefetch(first); }
    void clear() { spans_.clear(); }

  private:
    struct Span {
        uint64_t key;  // its first address
        uint64_t last;
    };
    // A span that overlaps [first, last], or null.
    Span* overlapping(uint64_t first, uint64_t last);

    SortedTable<Span, 32, 32> spans_;
};

// Ranges of addresses, and which of the addresses are executable. Ranges that overlap are joined.
class Ranges {
  public:
    Ranges(Budget& budget, WorkCounter& work) : ranges_(budget, work), executable_(budget, work) {}

    // Adds [first, last], the range of `image`, of which only the lower 63 bits count; 0: of none that can share it.
    // False when the budget is spent.
    [[nodiscard]] bool add(uint64_t first, uint64_t last, uint64_t image, bool is_executable, Overlap& overlap);
    // The addresses are executable, but belong to no range that others are compared with. False when the budget is
    // spent.
    [[nodiscard]] bool add_executable(uint64_t first, uint64_t last) { return executable_.add(first, last); }
    bool is_executable(uint64_t address);
    // Prefetch what a range that is added soon is compared with, in two steps (SortedTable).
    void prefetch_group(uint64_t first) const {
        ranges_.prefetch_group(first);
        executable_.prefetch_group(first);
    }
    void prefetch(uint64_t first) const {
        ranges_.prefetch(first);
        executable_.prefetch(first);
    }
    void clear() {
        ranges_.clear();
        executable_.clear();
    }

  private:
    struct Range {
        uint64_t key;  // its first address
        uint64_t last;
        uint64_t image : 63;         // 0 if several that overlap were joined
        uint64_t is_executable : 1;  // all its addresses are
    };
    // A range that overlaps [first, last], or null.
    Range* overlapping(uint64_t first, uint64_t last);

    SortedTable<Range, 32, 32> ranges_;
    AddressSet executable_;  // further ones: parts of ranges that are not executable as a whole
};

}  // namespace tracelint::gperftools
