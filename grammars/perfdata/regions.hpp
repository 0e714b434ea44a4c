// perf.data, section 5.2: the regions of a file, which may not overlap.
#pragma once

#include <array>

#include "grammars/perfdata/state.hpp"
#include "validator/memory/budgeted_vector.hpp"

namespace tracelint::perfdata {

// A part of the file that something points to.
struct Region {
    enum class Kind : uint8_t { header, attrs, data, event_types, ids, feature_table, feature };

    uint64_t start = 0, end = 0;
    uint64_t pointer = 0;  // where the file says where it is: the offset of 16 bytes
    uint64_t number = 0;   // of its attribute, or of its entry in the feature table
    Kind kind = Kind::header;
    bool is_blamed = false;
};

// The regions that the header points to, and the header itself.
class HeaderRegions {
  public:
    // A region that is empty counts for nothing. Call at most four times.
    void add(const Region& region);
    // As that of Regions. Returns whether the attributes are blamed.
    bool judge(State& state, bool is_reported);
    std::span<const Region> all() const { return std::span(regions_).first(count_); }

  private:
    std::array<Region, 4> regions_;
    size_t count_ = 0;
};

// All regions of a file.
class Regions {
  public:
    explicit Regions(State& state) : state_(state), regions_(state.context.budget) {}

    // A region that is empty counts for nothing.
    void add(const Region& region);
    // Blames each pointer to a region that overlaps one before it, once, and reports it. Call if all are known.
    void judge();
    // Whether all of them could be remembered.
    bool is_complete() const { return is_complete_; }
    // The greatest end.
    uint64_t end() const { return end_; }

  private:
    State& state_;
    BudgetedVector<Region> regions_;
    uint64_t end_ = 0;
    bool is_complete_ = true;
};

extern const RuleList kRegionRules;

}  // namespace tracelint::perfdata
