// perf.data, section 5.2: the regions of a file, which may not overlap.
#pragma once

#include "grammars/perfdata/state.hpp"
#include "validator/budgeted_vector.hpp"

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

class Regions {
  public:
    explicit Regions(State& state) : state_(state), regions_(state.context.budget) {}

    // A region that is empty counts for nothing.
    void add(const Region& region);
    // Blames each pointer to a region that overlaps one before it, once, and reports it if that is asked.
    void judge(bool is_reported);
    const BudgetedVector<Region>& all() const { return regions_; }
    // Whether the attributes were blamed.
    bool blames_attrs() const { return blames_attrs_; }
    // The greatest end.
    uint64_t end() const { return end_; }

  private:
    State& state_;
    BudgetedVector<Region> regions_;
    uint64_t end_ = 0;
    bool blames_attrs_ = false;
    bool is_complete_ = true;
};

extern const RuleList kRegionRules;

}  // namespace tracelint::perfdata
