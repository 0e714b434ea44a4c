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
    static constexpr uint64_t kReach = 16, kFewest = 4096;

    LongVector<Number> numbers_;
};

// Entries with unique keys, in the order in which they came. Entry is plain data with a member `key`.
template <class Entry>
class OrderedTable {
  public:
    OrderedTable(Budget& budget, WorkCounter& work) : dense_(budget), slots_(budget, work), entries_(budget) {}

    // The entry with the key, which is added if it is new. Null: the budget is spent. Pointers stay valid until the
    // next call.
    Entry* find_or_add(uint64_t key) {
        if (const uint32_t number = number_of(key); number != 0) return &entries_[number - 1];
        const auto number = static_cast<uint32_t>(entries_.size() + 1);
        const bool is_dense = dense_.reach(key, entries_.size());
        if (entries_.size() >= kMost || (!is_dense && !slots_.insert({.key = key, .number = number}))) return nullptr;
        Entry fresh{};
        fresh.key = key;
        if (!entries_.push_back(fresh)) {
            if (!is_dense) slots_.erase(slots_.find(key));
            return nullptr;
        }
        if (is_dense) dense_.set(key, number);
        return &entries_[number - 1];
    }
    const Entry* find(uint64_t key) {
        const uint32_t number = number_of(key);
        return number == 0 ? nullptr : &entries_[number - 1];
    }

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
    uint32_t number_of(uint64_t key) {
        if (const uint32_t number = dense_.find(key); number != 0) return number;
        const Slot* const slot = slots_.find(key);
        return slot == nullptr ? 0 : slot->number;
    }

    DenseTable<uint32_t> dense_;
    HashTable<Slot> slots_;  // of keys that were too large when they came up
    LongVector<Entry> entries_;
};

}  // namespace tracelint::pprof
