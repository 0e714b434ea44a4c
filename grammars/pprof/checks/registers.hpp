// pprof, section 4.2: what is remembered about the entries of a file, within its budget.
#pragma once

#include "validator/memory/hash_table.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::pprof {

// Entries with unique keys, in the order in which they came. Entry is plain data with a member `key`.
template <class Entry>
class OrderedTable {
  public:
    OrderedTable(Budget& budget, WorkCounter& work) : slots_(budget, work), entries_(budget) {}

    // The entry with the key, which is added if it is new. Null: the budget is spent. Pointers stay valid until the
    // next call.
    Entry* find_or_add(uint64_t key) {
        Slot* const slot = slots_.find_or_insert({.key = key, .number = static_cast<uint32_t>(entries_.size() + 1)});
        if (slot == nullptr) return nullptr;
        if (slot->number <= entries_.size()) return &entries_[slot->number - 1];
        Entry fresh{};
        fresh.key = key;
        if (entries_.size() >= kMost || !entries_.push_back(fresh)) {
            slots_.erase(slot);
            return nullptr;
        }
        return &entries_[entries_.size() - 1];
    }
    const Entry* find(uint64_t key) {
        const Slot* const slot = slots_.find(key);
        return slot == nullptr ? nullptr : &entries_[slot->number - 1];
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

    HashTable<Slot> slots_;
    LongVector<Entry> entries_;
};

}  // namespace tracelint::pprof
