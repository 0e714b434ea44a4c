// A hash table of ids that remembers the order in which they came. No choice of ids makes it slow: those that find no
// slot near their own go to an ordered table. Grows under a budget.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

// A number whose high bits depend on all bits of the id.
constexpr uint64_t hash_of(uint64_t id) { return id * 0x9e3779b97f4a7c15; }

// The same for ids at equal distances, as allocators give them out: a single product would put many into few places.
constexpr uint64_t scattered(uint64_t id) { return hash_of(hash_of(id) ^ hash_of(id) >> 32); }

// Entry has a member `key`; an overload of hash_of() takes it. Entries are never taken out one by one.
template <class Entry>
class IdTable {
  public:
    using Key = decltype(Entry::key);

    IdTable(Budget& budget, WorkCounter& work) : budget_(budget), work_(work), crowded_(budget, work) {}
    IdTable(const IdTable&) = delete;
    IdTable& operator=(const IdTable&) = delete;
    ~IdTable() { clear(); }

    // The entry of this key, or null. Pointers are valid until the next insert.
    Entry* find(const Key& key) {
        if (slots_.empty()) return nullptr;
        const Found found = look_up(key);
        return found.number == 0 ? nullptr : &entries_[found.number - 1];
    }

    // The entry of this key; a fresh one where there was none. Null when the budget is spent.
    Entry* find_or_insert(const Key& key) {
        if (entries_.size() * 2 >= slots_.size()) {
            if (Entry* known = find(key)) return known;
            if (!grow()) return nullptr;
        }
        const Found found = look_up(key);
        if (found.number != 0) return &entries_[found.number - 1];
        if (!place(key, found.slot, static_cast<uint32_t>(entries_.size() + 1))) return nullptr;
        Entry& fresh = entries_.emplace_back();
        fresh.key = key;
        return &fresh;
    }

    // Entries in the order in which they came; an entry keeps its number.
    Entry& at(uint32_t number) { return entries_[number]; }
    uint32_t number_of(const Entry& entry) const { return static_cast<uint32_t>(&entry - entries_.data()); }
    std::vector<Entry>& entries() { return entries_; }
    size_t size() const { return entries_.size(); }

    // Forgets everything and gives the memory back.
    void clear() {
        budget_.give_back(cost_of(slots_.size()));
        entries_ = std::vector<Entry>();
        slots_ = std::vector<Slot>();
        crowded_.clear();
    }

  private:
    static constexpr size_t kFewest = 16;  // slots
    static constexpr size_t kNear = 12;    // slots that an entry may be in

    struct Slot {
        uint32_t number;  // of the entry, from 1; 0: free
        uint32_t tag;     // of the hash: a look at the entry itself is a walk through memory
    };
    struct Crowded {
        Key key;
        uint32_t number;
    };
    struct Found {
        uint32_t number;  // of the entry, from 1; 0: none
        size_t slot;      // that is free for it; kNowhere: none
    };
    static constexpr size_t kNowhere = ~size_t{0};

    // Half of the slots are in use at most.
    static constexpr uint64_t cost_of(size_t slots) { return slots * sizeof(Slot) + slots / 2 * sizeof(Entry); }

    static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 8); }

    Found look_up(const Key& key) {
        work_.add(1);
        const uint64_t hash = hash_of(key);
        const size_t mask = slots_.size() - 1;
        size_t at = hash >> shift_;
        for (size_t i = 0; i < kNear; ++i, at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.number == 0) return {0, at};
            if (slot.tag == tag_of(hash) && entries_[slot.number - 1].key == key) return {slot.number, at};
        }
        const Crowded* entry = crowded_.find(key);
        return {entry == nullptr ? 0 : entry->number, kNowhere};
    }

    // The first free slot for a key that is not there.
    size_t room_for(uint64_t hash) {
        work_.add(1);
        const size_t mask = slots_.size() - 1;
        size_t at = hash >> shift_;
        for (size_t i = 0; i < kNear; ++i, at = (at + 1) & mask)
            if (slots_[at].number == 0) return at;
        return kNowhere;
    }

    bool place(const Key& key, size_t at, uint32_t number) {
        if (at == kNowhere) return crowded_.insert({key, number});
        slots_[at] = {number, tag_of(hash_of(key))};
        return true;
    }

    bool grow() {
        const size_t before = slots_.size(), after = before == 0 ? kFewest : 2 * before;
        if (!budget_.take(cost_of(after))) return false;
        budget_.give_back(cost_of(before));
        slots_.assign(after, {});
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(after));
        entries_.reserve(after / 2);
        crowded_.clear();
        for (uint32_t number = 1; number <= entries_.size(); ++number) {
            const Key& key = entries_[number - 1].key;
            if (!place(key, room_for(hash_of(key)), number)) return false;
        }
        return true;
    }

    Budget& budget_;
    WorkCounter& work_;
    std::vector<Entry> entries_;
    std::vector<Slot> slots_;
    unsigned shift_ = 64;
    SortedTable<Crowded> crowded_;
};

// Ids of which nothing is left to be said, among the last ones that were met. A small cache before a table, in which
// an id has two slots to be in; it grows as it is used, since a file may be many small ones in a row.
class SettledIds {
  public:
    // For loops that keep it in registers. Good until the next enter() or clear().
    class Reader {
      public:
        explicit Reader(const SettledIds& ids) : slots_(ids.slots_.data()), shift_(ids.shift_) {}
        // How often the id is among them: 0 to 2. A number, since of conditions compilers would make branches.
        uint32_t counts(uint64_t id) const {
            const size_t at = scattered(id) >> shift_;
            return uint32_t{slots_[at] == id} + uint32_t{slots_[at ^ 1] == id};
        }

      private:
        const uint64_t* slots_;
        unsigned shift_;
    };

    // `most`: ids that it may hold, a power of 2; clear() takes as many steps.
    explicit SettledIds(size_t most) : most_(most) {}

    bool holds(uint64_t id) const { return Reader(*this).counts(id) != 0; }
    void enter(uint64_t id) {
        if (++entered_ > slots_.size() && slots_.size() < most_) grow();
        const size_t at = scattered(id) >> shift_;
        slots_[at ^ 1] = std::exchange(slots_[at], id);
        is_empty_ = false;
    }
    void clear() {
        if (!is_empty_) empty();
    }

  private:
    void grow() {
        slots_.resize(slots_.size() * 2);
        --shift_;
        entered_ = 0;
        empty();
    }
    // No slot holds an id that may be in it: 0 belongs into the first pair, 1 into the upper half.
    void empty() {
        static_assert(scattered(0) == 0 && scattered(1) >> 63 == 1);
        std::fill(slots_.begin(), slots_.end(), 0);
        slots_[0] = slots_[1] = 1;
        is_empty_ = true;
    }

    const size_t most_;
    std::vector<uint64_t> slots_{1, 1, 0, 0};
    unsigned shift_ = 62;
    size_t entered_ = 0;  // since it grew
    bool is_empty_ = true;
};

}  // namespace tracelint::mlpd
