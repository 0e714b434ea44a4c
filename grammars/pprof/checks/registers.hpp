// pprof, section 4.2: what is remembered about the entries of a file, within its budget.
#pragma once

#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::pprof {

// A number for each key that is small next to how many keys came up: most ids and indexes count up from 1. Others are
// left to a table. 0: none.
template <class Number>
class DenseTable {
  public:
    explicit DenseTable(Budget& budget) : numbers_(budget) {}

    uint64_t size() const { return numbers_.size(); }
    Number operator[](uint64_t key) const { return numbers_[key]; }
    Number find(uint64_t key) const { return key < numbers_.size() ? numbers_[key] : Number{0}; }
    // Whether there is room for the number of a key; `keys` came up before. None is made if the budget is spent.
    bool reach(uint64_t key, uint64_t keys) {
        if (key < numbers_.size()) return true;
        if (key / kReach > kFewest + keys) return false;
        while (numbers_.size() <= key)
            if (!numbers_.push_back(Number{0})) return false;
        return true;
    }
    void set(uint64_t key, Number number) { numbers_[key] = number; }

  private:
    // So that a key takes 16 bytes at most, as many as a slot of a table.
    static constexpr uint64_t kReach = 16 / sizeof(Number), kFewest = 4096;

    LongVector<Number> numbers_;
};

// Entries with unique keys, in the order in which they came. Entry is plain data with a member `key`. As long as the
// keys count up from 1, as ids do in most files, a key is the number of its entry.
template <class Entry>
class OrderedTable {
  public:
    OrderedTable(Budget& budget, WorkCounter& work) : dense_(budget), slots_(budget, work), entries_(budget) {}

    // The entry with the key, which is added if it is new. Null: the budget is spent. Pointers stay valid until the
    // next call.
    Entry* find_or_add(uint64_t key) {
        const auto number = static_cast<uint32_t>(entries_.size() + 1);
        if (counts_up_ && key == number) return add(key);
        if (counts_up_ && key - 1 < entries_.size()) return &entries_[key - 1];
        if (counts_up_ && !stop_counting()) return nullptr;
        if (const uint32_t known = dense_.find(key); known != 0) return &entries_[known - 1];
        const bool is_dense = dense_.reach(key, entries_.size());
        // A dense key may have come up when it was none.
        Slot* const slot = is_dense ? slots_.find(key) : slots_.find_or_insert({.key = key, .number = number});
        if (slot != nullptr && slot->number != number) return &entries_[slot->number - 1];
        if (slot == nullptr && !is_dense) return nullptr;
        Entry* const added = add(key);
        if (added == nullptr && slot != nullptr) slots_.erase(slot);
        if (added != nullptr && is_dense) dense_.set(key, number);
        return added;
    }
    Entry* find(uint64_t key) {
        const uint32_t number = number_of(key);
        return number == 0 ? nullptr : &entries_[number - 1];
    }

    // The number of the entry, from 0; kNone: there is none with the key.
    uint64_t position_of(uint64_t key) { return uint64_t{number_of(key)} - 1; }

    size_t size() const { return entries_.size(); }
    const Entry* begin() const { return entries_.begin(); }
    const Entry* end() const { return entries_.end(); }
    Entry* begin() { return entries_.begin(); }
    Entry* end() { return entries_.end(); }

  private:
    static constexpr size_t kMost = 0xfffffffe;
    struct Slot {
        uint64_t key;
        uint32_t number;  // of the entry, from 1; 0: vacant
        bool is_vacant() const { return number == 0; }
    };
    Entry* add(uint64_t key) {
        Entry fresh{};
        fresh.key = key;
        return entries_.size() < kMost && entries_.push_back(fresh) ? entries_.end() - 1 : nullptr;
    }
    // False: the budget is spent.
    bool stop_counting() {
        if (!dense_.reach(entries_.size(), entries_.size())) return false;
        for (uint32_t number = 1; number <= entries_.size(); ++number) dense_.set(number, number);
        counts_up_ = false;
        return true;
    }
    uint32_t number_of(uint64_t key) {
        if (counts_up_) return key <= entries_.size() ? static_cast<uint32_t>(key) : 0;
        if (const uint32_t number = dense_.find(key); number != 0) return number;
        const Slot* const slot = slots_.find(key);
        return slot == nullptr ? 0 : slot->number;
    }

    bool counts_up_ = true;
    DenseTable<uint32_t> dense_;
    HashTable<Slot> slots_;  // of keys that were too large when they came up
    LongVector<Entry> entries_;
};

}  // namespace tracelint::pprof
