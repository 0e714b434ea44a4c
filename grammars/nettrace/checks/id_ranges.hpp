// nettrace, section 4.4: ids that blocks define since the last sequence point, as ranges.
#pragma once

#include <array>
#include <utility>

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
        auto [before, there] = ranges_.around(first);
        if (there != nullptr && there->key <= last) {
            for (; there != nullptr && there->key <= last; there = ranges_.at_or_after(first)) {
                last = std::max(last, there->last);
                ranges_.erase(there->key);
            }
            before = ranges_.before(first);
        }
        if (before != nullptr && before->last + 1 >= first) {
            before->last = std::max(before->last, last);
            return hit(*before);
        }
        return ranges_.insert_there({first, last});
    }

    // Whether the table exceeds the processor's caches; then announce() prefetches what an id that comes soon is
    // compared with, in two steps.
    bool is_large() const { return ranges_.is_large(); }
    [[gnu::always_inline]] void announce(uint64_t id) {
        ranges_.prefetch_group(id);
        ranges_.prefetch(std::exchange(announced_[next_announced_++ % announced_.size()], id));
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

    SortedTable<Range, 32, 32> ranges_;
    Range last_hit_{1, 0};                 // empty at first
    std::array<uint64_t, 8> announced_{};  // whose block is prefetched when as many others were announced
    size_t next_announced_ = 0;
};

}  // namespace tracelint::nettrace
