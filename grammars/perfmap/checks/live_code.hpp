// perf map, section 4.2: which code is where.
#pragma once

#include "grammars/perfmap/checks/lines.hpp"
#include "validator/memory/delay_queue.hpp"
#include "validator/memory/sorted_table.hpp"

namespace tracelint::perfmap {

// The ranges of the lines so far that no later line replaced. They do not overlap.
class LiveCode {
  public:
    explicit LiveCode(ValidationContext& context)
        : context_(context), ranges_(context.budget, context.work), shared_(context.budget, context.work) {}

    // A line whose range ends at or below 2^64. It is compared a little later, in the order of lines.
    void add(const LineInFile& line);
    // Compares the lines that still wait, and reports code with several names.
    void finish();
    // Compares no ranges from here on.
    void stop();

  private:
    struct Range {
        uint64_t key;   // its first address
        uint64_t last;  // its last one
        uint64_t name;  // hash; decides only between two notes
    };
    struct Added {
        Range range;
        Place line, place;  // of the line, and of its range
        bool is_line_terminated;
    };
    // A START with several names: how many, and the range of the line with the second one.
    struct Shared {
        uint64_t key;
        uint64_t names;
        Place place;
        bool about_end;
    };
    // A range that overlaps [first, last], or null.
    const Range* overlapping(uint64_t first, uint64_t last);
    void compare(const Added& added);
    bool note_name(const Added& added);
    void report_shared();
    void give_up(const Added& added);
    void forget();
    template <const Rule& R>
    void report(const Added& added, const Place& place, std::array<uint64_t, 4> numbers = {});

    ValidationContext& context_;
    SortedTable<Range, 32, 32> ranges_;  // sizes that are fast for ranges in random order
    SortedTable<Shared> shared_;
    DelayQueue<Added, 16> added_;  // until their blocks of the table are in the cache
    bool is_tracking_ = true;
};

extern const RuleList kLiveCodeRules;

}  // namespace tracelint::perfmap
