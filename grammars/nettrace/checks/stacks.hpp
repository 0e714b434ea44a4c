// nettrace, section 4.4: the stacks and label lists that events refer to.
#pragma once

#include "grammars/nettrace/checks/id_ranges.hpp"
#include "grammars/nettrace/checks/limits.hpp"

namespace tracelint::nettrace {

// The ids of one kind between two sequence points.
class Region {
  public:
    // `lost`: the flag of this kind.
    Region(ValidationContext& context, Tracking& tracking, Tracked what, bool& lost)
        : ids_(context.budget, context.work), tracking_(tracking), what_(what), lost_(lost) {}

    // Whether a reference to `id` is sound, as far as is known. Zero refers to nothing.
    bool has(uint64_t id) { return id == 0 || lost_ || ids_.has(id); }
    bool has_recent(uint64_t id) const { return id == 0 || ids_.is_recent(id); }
    // Whether an id of the block that starts at `first` was defined before.
    bool has_any_of(uint64_t first, uint64_t count) {
        if (count == 0 || lost_) return false;
        const uint64_t last = first + count - 1;
        if (last <= kHighest) return ids_.overlaps(first, last);
        return ids_.overlaps(first, kHighest) || ids_.overlaps(0, last - kHighest - 1);
    }
    // Ids count up modulo 2^32. A block has fewer than that.
    void define(uint64_t first, uint64_t count, uint64_t offset) {
        if (count == 0) return;
        const uint64_t last = first + count - 1;
        last_ = last & kHighest;
        if (lost_) return;
        const bool is_kept =
            last <= kHighest ? ids_.add(first, last) : ids_.add(first, kHighest) && ids_.add(0, last - kHighest - 1);
        if (is_kept) return;
        tracking_.end(what_, offset);
        lost_ = true;
    }
    bool is_large() const { return ids_.is_large(); }
    [[gnu::always_inline]] void announce(uint64_t first) { ids_.announce(first); }
    // The last id of the block before; 0 at the start of a region.
    uint64_t last() const { return last_; }
    bool is_lost() const { return lost_; }
    void lose() {
        lost_ = true;
        ids_.clear();
    }
    // A sequence point.
    void begin() {
        ids_.clear();
        last_ = 0;
        lost_ = false;
    }

  private:
    static constexpr uint64_t kHighest = 0xffffffff;

    IdRanges ids_;
    Tracking& tracking_;
    const Tracked what_;
    bool& lost_;
    uint64_t last_ = 0;
};

}  // namespace tracelint::nettrace
