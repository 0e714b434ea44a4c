// Hash tables within a budget. Their seed is secret, so that no file can make them slow.
#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

#include "validator/memory/limits.hpp"
#include "validator/memory/pages.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint {

// Multiplicative hashing.

// 2^64 divided by the golden ratio, rounded to an odd number.
inline constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;

// A number whose high bits depend on all bits of `number`: consecutive numbers and multiples of a power of two get
// high bits that differ.
constexpr uint64_t spread(uint64_t number) { return number * kSpread; }

// Hashing that the writer of a file cannot foresee.

// A random number, drawn once per run, so that the author of a file cannot choose keys that collide in a table.
uint64_t hash_seed();

// A number whose high bits depend on all bits of `number` and of the seed.
constexpr uint64_t seeded(uint64_t number, uint64_t seed) {
    const uint64_t mixed = spread(number ^ seed);
    return (mixed ^ mixed >> 32) * (seed | 1);
}

// The hash of bytes.
uint64_t seeded(Bytes bytes, uint64_t seed);

// A hash table of small entries, without order. Its hash depends on the seed of the run, so that no choice of keys
// makes it slow. Grows within a budget.

// The hash of a key: an integer, or a type with a member of this name.
template <class Key>
constexpr uint64_t hash_with(const Key& key, uint64_t seed) {
    if constexpr (std::unsigned_integral<Key>)
        return seeded(key, seed);
    else
        return key.hash_with(seed);
}

// Entry is plain data with a member `key`; keys are unique. is_vacant() recognises free slots: an entry whose bytes are
// all zero is vacant, and none that is inserted may be. Entries are in the first free slot from that of their hash on
// (linear probing), at most five of eight slots are used.
template <class Entry>
class HashTable {
  public:
    using Key = decltype(Entry::key);
    static_assert(std::is_trivially_copyable_v<Entry>);

    HashTable(Budget& budget, WorkCounter& work, uint64_t seed = hash_seed())
        : budget_(budget), work_(work), seed_(seed) {}
    HashTable(const HashTable&) = delete;
    HashTable& operator=(const HashTable&) = delete;
    ~HashTable() { clear(); }

    bool empty() const { return size_ == 0; }
    size_t size() const { return size_; }

    // The entry with this key, or null. Pointers stay valid until the next insert or erase.
    Entry* find(const Key& key) {
        if (size_ == 0) return nullptr;
        Entry& found = slots_[slot_for(key)];
        return found.is_vacant() ? nullptr : &found;
    }

    // Adds an entry. Its key must not be in the table yet. False: the budget is spent.
    bool insert(const Entry& added) {
        if (size_ == most() && !grow()) return false;
        slots_[slot_for(added.key)] = added;
        ++size_;
        return true;
    }

    // The entry with the key of `fresh`: an earlier one, or else `fresh`. Null if the budget is spent. `fresh` may be
    // vacant if the caller makes it another entry at once.
    Entry* find_or_insert(const Entry& fresh) {
        if (size_ == most()) {
            if (Entry* const known = find(fresh.key)) return known;
            if (!grow()) return nullptr;
        }
        Entry& found = slots_[slot_for(fresh.key)];
        if (found.is_vacant()) {
            found = fresh;
            ++size_;
        }
        return &found;
    }

    // Removes an entry of the table. Moves up those after it that had no room nearer to the slot of their hash.
    void erase(Entry* removed) {
        auto hole = static_cast<size_t>(removed - slots_);
        for (size_t at = next(hole); !slots_[at].is_vacant(); at = next(at)) {
            work_.add(1);
            if (((at - home_of(slots_[at].key)) & mask()) < ((at - hole) & mask())) continue;
            slots_[hole] = slots_[at];
            hole = at;
        }
        slots_[hole] = Entry{};
        --size_;
    }

    // Prefetches the slot of a key that is looked up soon. Always inlined, since g++ drops calls without effects.
    [[gnu::always_inline]] void prefetch(const Key& key) const {
        if (slot_count_ != 0) __builtin_prefetch(slots_ + home_of(key), 1);
    }

    // Visits all entries, in no order.
    template <class Visit>
    void for_each(Visit visit) {
        for (Entry& entry : std::span(slots_, slot_count_))
            if (!entry.is_vacant()) visit(entry);
    }

    // Removes all entries and frees the memory.
    void clear() {
        budget_.give_back(cost_of(slot_count_));
        pages_ = Pages();
        slots_ = nullptr;
        slot_count_ = size_ = 0;
    }

  private:
    static constexpr size_t kFewest = 8;  // slots

    static constexpr uint64_t cost_of(size_t slots) { return Pages::cost(slots * sizeof(Entry)); }
    size_t most() const { return slot_count_ / 8 * 5; }
    size_t mask() const { return slot_count_ - 1; }
    size_t next(size_t slot) const { return (slot + 1) & mask(); }
    size_t home_of(const Key& key) const { return hash_with(key, seed_) >> shift_; }

    // The slot that has the key, or else the first free one for it.
    size_t slot_for(const Key& key) {
        size_t at = home_of(key);
        work_.add(1);
        for (; !slots_[at].is_vacant() && !(slots_[at].key == key); at = next(at)) work_.add(1);
        return at;
    }

    bool grow() {
        const size_t before = slot_count_, after = before == 0 ? kFewest : 2 * before;
        if (!budget_.take(cost_of(after))) return false;
        const Pages old = std::exchange(pages_, Pages(after * sizeof(Entry)));
        const std::span<const Entry> entries(slots_, before);
        slots_ = static_cast<Entry*>(pages_.data());
        slot_count_ = after;
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(after));
        for (const Entry& entry : entries)
            if (!entry.is_vacant()) slots_[slot_for(entry.key)] = entry;
        budget_.give_back(cost_of(before));
        return true;
    }

    Budget& budget_;
    WorkCounter& work_;
    const uint64_t seed_;
    Pages pages_;
    Entry* slots_ = nullptr;  // in pages_
    size_t slot_count_ = 0;   // a power of 2
    size_t size_ = 0;
    unsigned shift_ = 0;
};

}  // namespace tracelint
