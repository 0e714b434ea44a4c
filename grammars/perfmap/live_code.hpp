// perf map, section 4.2: which code is where.
#pragma once

#include "grammars/perfmap/lines.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::perfmap {

// The ranges of the lines so far that no later line replaced. They do not overlap.
class LiveCode {
  public:
    explicit LiveCode(ValidationContext& context) : context_(context), ranges_(context.budget, context.work) {}

    // A line whose range ends at or below 2^64.
    void add(const LineInFile& line);
    // Compares no ranges from here on.
    void stop() {
        is_tracking_ = false;
        ranges_.clear();
    }

  private:
    struct Range {
        uint64_t key;   // its first address
        uint64_t last;  // its last one
        uint64_t name;  // hash; decides only between two notes
    };
    // A range that overlaps [first, last], or null.
    const Range* overlapping(uint64_t first, uint64_t last);

    ValidationContext& context_;
    SortedTable<Range> ranges_;
    bool is_tracking_ = true;
};

extern const RuleList kLiveCodeRules;

}  // namespace tracelint::perfmap
