// The keys met last: a small cache in front of a table, which holds nothing but numbers.
#pragma once

#include <algorithm>
#include <vector>

#include "validator/memory/limits.hpp"

namespace tracelint {

// A set-associative cache of numbers, of four ways. `Hash` maps a key to a number whose high bits depend on all bits of
// the key; it maps 0 to 0. The cache grows with use, since one input may hold many small files in a row, and takes at
// most 12 bytes for each of `most` keys.
template <uint64_t (*Hash)(uint64_t)>
class RecentKeys {
    static constexpr size_t kWays = 4;  // slots that a key may be in: its home, and those next to it

  public:
    // For loops that keep it in registers. Valid until the cache changes.
    class Reader {
      public:
        explicit Reader(const RecentKeys& keys) : slots_(keys.slots_.data()), shift_(keys.shift_) {}
        // Whether the key is in its home, where the last key of that home is.
        bool is_at_home(uint64_t key) const { return slots_[Hash(key) >> shift_] == key; }
        // How often the cache holds the key, 0 or 1. A number, since compilers would turn a condition into branches.
        uint32_t counts(uint64_t key) const {
            const uint64_t* set = slots_ + (Hash(key) >> shift_) / kWays * kWays;
            uint32_t count = 0;
            for (size_t way = 0; way < kWays; ++way) count += uint32_t{set[way] == key};
            return count;
        }

      private:
        const uint64_t* slots_;
        unsigned shift_;
    };

    // `most`: keys that it may hold, a power of 2.
    RecentKeys(size_t most, WorkCounter& work) : most_(most), work_(work) {}

    bool is_at_home(uint64_t key) const { return Reader(*this).is_at_home(key); }
    bool holds(uint64_t key) const { return Reader(*this).counts(key) != 0; }

    // Puts a key that the cache does not hold into its home. What was there takes the place of another key of the set.
    void enter(uint64_t key) {
        grow_if_used_up();
        put(key);
    }

    // Brings a key that the cache holds elsewhere to its home. False: the cache does not hold it.
    bool bring_home(uint64_t key) {
        const size_t home = home_of(key);
        for (size_t way = 1; way < kWays; ++way) {
            if (slots_[home ^ way] != key) continue;
            std::swap(slots_[home ^ way], slots_[home]);
            if (grow_if_used_up()) put(key);
            return true;
        }
        return false;
    }

    // Forgets all keys, in time linear in those that were entered since the last time.
    void clear() {
        work_.add(used_.size());
        for (const uint32_t set : used_) vacate(set);
        used_.clear();
    }

  private:
    // A number that never belongs into the set: 0 belongs into the first one, 1 into the upper half.
    static constexpr uint64_t vacant_in(size_t set) { return set == 0 ? 1 : 0; }
    static_assert(Hash(0) == 0 && Hash(1) >> 63 == 1);

    size_t home_of(uint64_t key) const { return Hash(key) >> shift_; }
    void vacate(size_t set) { std::fill_n(slots_.data() + set * kWays, kWays, vacant_in(set)); }

    void put(uint64_t key) {
        const size_t home = home_of(key), set = home / kWays;
        if (slots_[home] == vacant_in(set))
            used_.push_back(static_cast<uint32_t>(set));
        else
            slots_[home ^ (uses_ % kWays)] = slots_[home];
        slots_[home] = key;
    }

    // Grows after as many uses as there are slots, and is empty then.
    bool grow_if_used_up() {
        ++uses_;
        if (slots_.size() == most_ || uses_ <= slots_.size()) return false;
        work_.add(slots_.size());
        slots_.assign(slots_.size() * 2, 0);
        vacate(0);
        --shift_;
        uses_ = 0;
        used_.clear();
        return true;
    }

    const size_t most_;
    WorkCounter& work_;
    std::vector<uint64_t> slots_{1, 1, 1, 1, 0, 0, 0, 0};
    unsigned shift_ = 61;
    size_t uses_ = 0;             // since it grew
    std::vector<uint32_t> used_;  // sets that hold a key, some of them several times
};

}  // namespace tracelint
