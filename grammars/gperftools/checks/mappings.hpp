// The addresses that the mapping lines of a profile list.
#pragma once

#include <string>

#include "grammars/gperftools/checks/line.hpp"
#include "validator/memory/delay_queue.hpp"
#include "validator/memory/sorted_table.hpp"

namespace tracelint::gperftools {

// How a range relates to those that were added before it.
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

// gperftools, sections 3.4.2 to 3.4.4: build specifiers and mapping lines.

struct Profile;

// The build specifiers of a profile, and their use in paths.
class BuildVariables {
  public:
    void define(Profile& profile, const Line& line, const Piece& value);
    void check_path(Profile& profile, const Line& line, const Piece& path) const;
    void clear() { is_defined_ = false; }

  private:
    bool is_defined_ = false;
    std::string first_;          // the first value, as far as its line is looked at
    uint64_t first_length_ = 0;  // of the whole value, in bytes
};

class Mappings {
  public:
    Mappings(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // A mapping line in a list of mapped objects.
    void add(Profile& profile, const Line& line, const Mapping& mapping);
    void define_build(Profile& profile, const Line& line, const Piece& value) { builds_.define(profile, line, value); }

    uint64_t count() const { return count_; }
    uint64_t executable_count() const { return executable_count_; }
    // Whether the address is in an executable mapping.
    bool explains(uint64_t address) { return ranges_.is_executable(address); }
    // The end of the list.
    void finish(Profile& profile);
    // Forgets the ranges, and with them the overlaps that were found in the profile.
    void stop_tracking(Profile& profile);
    // Forgets everything.
    void clear();

  private:
    // The range of a line, to be compared with those of earlier lines.
    struct Tracked {
        uint64_t first = 0, last = 0;  // addresses
        uint64_t image = 0;            // identifies the path; 0: it cannot share its range with another one
        bool is_kept = false, is_executable = false;
        Place range{}, line{};
    };
    // Whether the line is kept (section 5.3, dropped mappings): its range can be compared with others.
    bool check_range(Profile& profile, const Line& line, const Mapping& mapping);
    void check_order(Profile& profile, const Line& line, const Mapping& mapping);
    void track(Profile& profile, const Line& line, const Mapping& mapping, bool is_kept, bool is_executable);
    void compare(Profile& profile, const Tracked& tracked);

    BuildVariables builds_;
    Ranges ranges_;                              // of the lines that are kept, and of executable ones
    DelayQueue<Tracked, 16> tracked_;            // lines that are not compared yet
    uint64_t count_ = 0, executable_count_ = 0;  // lines
    uint64_t last_start_ = 0;                    // of the last line that was kept
};

extern const RuleList kMappingRules;

}  // namespace tracelint::gperftools
