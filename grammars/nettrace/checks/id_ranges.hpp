// nettrace, section 4.4: ids that blocks define since the last sequence point, as ranges.
#pragma once

#include "validator/memory/sorted_table.hpp"

namespace tracelint::nettrace {

class IdRanges {
  public:
    // Whether it is among those that were asked for last. For loops that have nothing to report.
    bool is_recent(uint64_t id) const { return id >= last_hit_.key && id <= last_hit_.last; }

    IdRanges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    bool has(uint64_t id) {
        if (is_recent(id)) [[likely]]
            return true;
        const auto [before, there] = ranges_.around(id);
        if (there != nullptr && there->key == id) return hit(*there);
        return before != nullptr && id <= before->last && hit(*before);
    }

    // Whether an id from `first` to `last` is there.
    bool overlaps(uint64_t first, uint64_t last) {
        const auto [before, there] = ranges_.around(first);
        return (there != nullptr && there->key <= last) || (before != nullptr && first <= before->last);
    }

    // False: the budget is spent.
    bool add(uint64_t first, uint64_t last) {
        for (Range* there = ranges_.at_or_after(first); there != nullptr && there->key <= last;
             there = ranges_.at_or_after(first)) {
            last = std::max(last, there->last);
            ranges_.erase(there->key);
        }
        Range* const before = ranges_.before(first);
        if (before != nullptr && before->last + 1 >= first) {
            before->last = std::max(before->last, last);
            return hit(*before);
        }
        return ranges_.insert({first, last});
    }

    void clear() {
        ranges_.clear();
        last_hit_ = {1, 0};
    }

  private:
    struct Range {
        uint64_t key, last;
    };
    bool hit(const Range& range) {
        last_hit_ = range;
        return true;
    }

    SortedTable<Range> ranges_;
    Range last_hit_{1, 0};  // empty at first
};

}  // namespace tracelint::nettrace
