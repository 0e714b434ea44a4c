// Sweeps over addresses and times: which range covers which, in n log n (section 4.3).
#pragma once

#include <algorithm>
#include <span>

#include "grammars/siblings/checks/tables.hpp"

namespace tracelint::siblings {

// The greatest value in a range of positions, of values that change. One array of twice their number.
class GreatestOf {
  public:
    GreatestOf(Budget& budget, WorkCounter& work) : tree_(budget), work_(work) {}

    // `count` values of 0. False: the budget does not allow for it.
    bool reset(size_t count) {
        tree_.clear();
        count_ = count;
        work_.add(2 * count);
        if (!tree_.reserve(2 * count)) return false;
        for (size_t i = 0; i < 2 * count; ++i) (void)tree_.push_back({});  // there is room
        return true;
    }
    struct Value {
        uint64_t value = 0;
        size_t at = 0;  // its position
    };
    void set(size_t at, uint64_t value) {
        size_t node = at + count_;
        work_.add(levels_of(count_));
        tree_[node] = {value, at};
        for (node /= 2; node >= 1; node /= 2) {
            const Value &left = tree_[2 * node], &right = tree_[2 * node + 1];
            tree_[node] = left.value >= right.value ? left : right;
        }
    }
    // The greatest of the positions from `first` on, before `end`.
    Value in(size_t first, size_t end) const {
        Value greatest;
        work_.add(levels_of(count_));
        const auto take = [&](const Value& one) {
            if (one.value > greatest.value) greatest = one;
        };
        for (first += count_, end += count_; first < end; first /= 2, end /= 2) {
            if (first % 2 == 1) take(tree_[first++]);
            if (end % 2 == 1) take(tree_[--end]);
        }
        return greatest;
    }

  private:
    BudgetedVector<Value> tree_;
    WorkCounter& work_;
    size_t count_ = 0;
};

// The functions that cover an address, as addresses rise: asks for the one that was loaded first.
class CoveringLoads {
  public:
    CoveringLoads(Budget& budget, WorkCounter& work, std::span<const Loaded> by_start)
        : heap_(budget), work_(work), loads_(by_start) {}

    // False: the budget is spent.
    bool prepare() { return heap_.reserve(loads_.size()); }

    // The earliest of the functions at the address, which must not be below that of the last call; null: none.
    const Loaded* earliest_at(uint64_t address) {
        const auto is_later = [&](size_t a, size_t b) { return loads_[a].time > loads_[b].time; };
        for (; next_ < loads_.size() && loads_[next_].start <= address; ++next_) {
            if (!loads_[next_].has_code()) continue;
            (void)heap_.push_back(next_);  // there is room
            work_.add(levels_of(heap_.size()));
            std::push_heap(heap_.begin(), heap_.end(), is_later);
        }
        while (!heap_.empty() && loads_[heap_[0]].last < address) {
            work_.add(levels_of(heap_.size()));
            std::pop_heap(heap_.begin(), heap_.end(), is_later);
            heap_.pop_back();
        }
        return heap_.empty() ? nullptr : &loads_[heap_[0]];
    }

  private:
    BudgetedVector<size_t> heap_;  // indices; the earliest first
    WorkCounter& work_;
    std::span<const Loaded> loads_;
    size_t next_ = 0;
};

// Samples of which only a frame of the call chain is in the code in question. Each is counted once, however many of
// its frames do.
class Chained {
  public:
    // `has_frames`: else nothing is kept.
    Chained(Budget& budget, bool has_frames) : noted_(budget), has_frames_(has_frames) {}

    // A sample that is there, or one with a frame that is. False: the budget does not allow for it.
    [[nodiscard]] bool note(const Sample& sample, bool is_frame) {
        return !has_frames_ || noted_.push_back(2 * uint64_t{sample.number} + (is_frame ? 1 : 0));
    }
    // Call once.
    uint64_t count(WorkCounter& work) {
        work.add(sorting_of(noted_.size()));
        std::sort(noted_.begin(), noted_.end());
        uint64_t count = 0;
        std::optional<uint64_t> before;
        for (const uint64_t one : noted_) {
            count += before != one / 2 && one % 2 == 1;
            before = one / 2;
        }
        return count;
    }

  private:
    BudgetedVector<uint64_t> noted_;
    bool has_frames_;
};

// The executable memory of a process, as addresses rise.
class ExecutableMemory {
  public:
    ExecutableMemory(const RecordingTables& recording, uint32_t pid, WorkCounter& work)
        : recording_(recording), by_start_(recording.mappings_of(pid)) {
        work.add(by_start_.size());
    }

    // A mapping of the address, which must not be below that of the last call: of those that reach furthest, the one
    // that begins last. Null if absent. `takes`: which mappings count, the same at each call.
    template <class Takes>
    const Mapping* at(uint64_t address, Takes takes) {
        for (; next_ < by_start_.size(); ++next_) {
            const Mapping& mapping = recording_.mapping(by_start_[next_]);
            if (mapping.start > address) break;
            if (mapping.length == 0 || !is_executable(mapping) || !takes(mapping)) continue;
            if (furthest_ != nullptr && last_of(*furthest_) > last_of(mapping)) continue;
            furthest_ = &mapping;
        }
        return furthest_ != nullptr && last_of(*furthest_) >= address ? furthest_ : nullptr;
    }
    const Mapping* at(uint64_t address) {
        return at(address, [](const Mapping&) { return true; });
    }
    // The last byte of a mapping that has any.
    static uint64_t last_of(const Mapping& mapping) {
        const uint64_t most = kNone - mapping.start;
        return mapping.start + std::min(mapping.length - 1, most);
    }

  private:
    const RecordingTables& recording_;
    std::span<const uint64_t> by_start_;
    size_t next_ = 0;
    const Mapping* furthest_ = nullptr;
};

// Sweeps only over the mappings of anonymous memory.
class AnonymousMemory {
  public:
    AnonymousMemory(const RecordingTables& recording, uint32_t pid, WorkCounter& work)
        : memory_(recording, pid, work) {}

    const Mapping* at(uint64_t address) {
        return memory_.at(address, [](const Mapping& mapping) { return mapping.kind != Mapping::Kind::file; });
    }

  private:
    ExecutableMemory memory_;
};

}  // namespace tracelint::siblings
