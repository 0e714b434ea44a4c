// mlpd: a hash table of ids that keeps them in order of insertion, and a cache. No choice of ids makes it slow: ids
// that find no slot near their own go to an ordered table, and if there are many of them, the hash depends on the seed
// of the run from then on. Grows under a budget.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "validator/memory/delay_queue.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/pages.hpp"
#include "validator/memory/recent_keys.hpp"
#include "validator/memory/sorted_table.hpp"
#include "validator/memory/vectors.hpp"

namespace tracelint::mlpd {

// Entry has a member `key`, as HashTable has it, and is constructed from a key, or a key and more. Entries are never
// removed one by one, and their addresses are stable.
template <class Entry>
class IdTable {
  public:
    using Key = std::remove_const_t<decltype(Entry::key)>;

    IdTable(Budget& budget, WorkCounter& work, uint64_t seed = hash_seed())
        : budget_(budget), work_(work), secret_(seed), crowded_(budget, work) {}
    IdTable(const IdTable&) = delete;
    IdTable& operator=(const IdTable&) = delete;
    ~IdTable() { clear(); }

    // The entry of this key, or null.
    Entry* find(const Key& key) {
        if (size_ == 0) return nullptr;
        const Found found = look_up(key);
        return found.number == 0 ? nullptr : &at(found.number - 1);
    }

    // The entry of this key, constructed from the key and `more` on first use. Null if the budget is spent.
    template <class... More>
    Entry* find_or_insert(const Key& key, const More&... more) {
        if (size_ == capacity()) {
            if (Entry* known = find(key)) return known;
            if (!grow()) return nullptr;
        }
        const Found found = look_up(key);
        if (found.number != 0) return &at(found.number - 1);
        if (found.slot != kNowhere) [[likely]]
            slots()[found.slot] = {size_ + 1, tag_of(hash_of(key))};
        else if (!add_crowded(key))
            return nullptr;
        return new (&at(size_++)) Entry{key, more...};
    }

    // Prefetches the slot of a key that is looked up soon. Always inlined, since g++ drops calls without effects.
    [[gnu::always_inline]] void prefetch(const Key& key) const {
        if (slot_count_ != 0) __builtin_prefetch(slots() + (hash_of(key) >> shift_), 1);
    }
    // Prefetches the entry of a key whose slot was prefetched a while ago and has arrived.
    [[gnu::always_inline]] void prefetch_entry(const Key& key) {
        if (slot_count_ == 0) return;
        const uint64_t hash = hash_of(key);
        for (size_t i = 0; i < kPerLine; ++i) {
            const Slot& slot = slots()[near(hash >> shift_, i)];
            if (slot.number == 0) return;
            if (slot.tag == tag_of(hash)) return __builtin_prefetch(&at(slot.number - 1), 1);
        }
    }

    // Entries by number, in order of insertion. An entry keeps its number.
    Entry& at(uint32_t number) {
        const auto part = static_cast<unsigned>(std::bit_width(number / kFirstPart));
        return entries(part)[part == 0 ? number : number - first_of(part)];
    }
    uint32_t number_of(const Entry& entry) const {
        unsigned part = 0;
        while (!std::less_equal<>()(entries(part), &entry) || !std::less<>()(&entry, entries(part) + length_of(part)))
            ++part;
        return first_of(part) + static_cast<uint32_t>(&entry - entries(part));
    }
    template <class Visit>
    void for_each(Visit visit) {
        for (unsigned part = 0; part < parts_.size() && first_of(part) < size_; ++part)
            for (Entry& entry : std::span(entries(part), std::min(length_of(part), size_ - first_of(part))))
                visit(entry);
    }
    size_t size() const { return size_; }

    // Removes all entries and frees the memory.
    void clear() {
        if constexpr (!std::is_trivially_destructible_v<Entry>) for_each([](Entry& entry) { entry.~Entry(); });
        for (unsigned part = 0; part < parts_.size(); ++part) budget_.give_back(cost_of_part(part));
        budget_.give_back(cost_of_slots(slot_count_));
        parts_ = std::vector<Pages>();
        slots_ = Pages();
        slot_count_ = 0;
        size_ = 0;
        crowded_.clear();
    }

  private:
    static constexpr uint32_t kFirstPart = 8;  // entries
    static constexpr size_t kFewCrowded = 16;  // ids

    struct Slot {
        uint32_t number;  // of the entry, from 1; 0: free
        uint32_t tag;     // the upper half of the hash, which saves most looks at the entry itself
    };
    static constexpr size_t kPerLine = Pages::kLine / sizeof(Slot), kNear = 2 * kPerLine;  // slots
    struct Crowded {
        Key key;
        uint32_t number;
    };
    struct Found {
        uint32_t number;  // of the entry, from 1; 0: none
        size_t slot;      // that is free for it; kNowhere: none
    };
    static constexpr size_t kNowhere = ~size_t{0};

    // The entries are in parts, each as long as all parts before it: nothing is copied as the table grows.
    static constexpr uint32_t first_of(unsigned part) { return part == 0 ? 0 : kFirstPart << (part - 1); }
    static constexpr uint32_t length_of(unsigned part) { return part == 0 ? kFirstPart : first_of(part); }
    static uint64_t cost_of_part(unsigned part) { return Pages::cost(length_of(part) * sizeof(Entry)); }
    static uint64_t cost_of_slots(size_t slots) { return Pages::cost(slots * sizeof(Slot)); }
    Entry* entries(unsigned part) const { return static_cast<Entry*>(parts_[part].data()); }
    Slot* slots() const { return static_cast<Slot*>(slots_.data()); }
    // At most half of the slots are in use.
    size_t capacity() const { return slot_count_ / 2; }

    // Ids at equal distances have the even spread of a product, as long as there is no seed.
    uint64_t hash_of(const Key& key) const {
        if constexpr (std::unsigned_integral<Key>)
            return spread(key ^ seed_);
        else
            return key.hash_with(seed_);
    }
    static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

    // The slots of an entry by preference: those of one cache line, then those of the next.
    size_t near(size_t home, size_t i) const {
        return ((home ^ (i % kPerLine)) + i / kPerLine * kPerLine) & (slot_count_ - 1);
    }

    Found look_up(const Key& key) {
        work_.add(1);
        const uint64_t hash = hash_of(key);
        const size_t home = hash >> shift_;
        for (size_t i = 0; i < kNear; ++i) {
            const Slot& slot = slots()[near(home, i)];
            if (slot.number == 0) return {0, near(home, i)};
            if (slot.tag == tag_of(hash) && at(slot.number - 1).key == key) return {slot.number, near(home, i)};
        }
        const Crowded* entry = crowded_.find(key);
        return {entry == nullptr ? 0 : entry->number, kNowhere};
    }

    // The first free slot for a hash, whose upper half suffices.
    size_t room_for(uint64_t hash) {
        work_.add(1);
        const size_t home = hash >> shift_;
        for (size_t i = 0; i < kNear; ++i)
            if (slots()[near(home, i)].number == 0) return near(home, i);
        return kNowhere;
    }

    template <class KeyOf>
    bool place(uint64_t hash, size_t at_slot, uint32_t number, KeyOf key_of) {
        if (at_slot == kNowhere) return crowded_.insert({key_of(), number});
        slots()[at_slot] = {number, tag_of(hash)};
        return true;
    }

    // Adds an id without a slot, unless so many ids have none that they were chosen for it: without a choice, few do.
    [[gnu::noinline]] bool add_crowded(const Key& key) {
        if (is_seeded_ || crowded_.size() < kFewCrowded + size_ / 16) return crowded_.insert({key, size_ + 1});
        if (!reseed()) return false;
        const uint64_t hash = hash_of(key);
        return place(hash, room_for(hash), size_ + 1, [&] { return key; });
    }

    // Places all ids by a hash that the file cannot foresee. False: the budget is spent.
    bool reseed() {
        is_seeded_ = true;
        seed_ = secret_;
        std::fill_n(slots(), slot_count_, Slot{});
        crowded_.clear();
        for (uint32_t number = 0; number < size_; ++number) {
            const Key& key = at(number).key;
            const uint64_t hash = hash_of(key);
            if (!place(hash, room_for(hash), number + 1, [&] { return key; })) return false;
        }
        return true;
    }

    bool grow() {
        const auto part = static_cast<unsigned>(parts_.size());
        const size_t before = slot_count_, after = 2 * size_t{first_of(part) + length_of(part)};
        if (!budget_.take(cost_of_slots(after))) return false;
        if (!budget_.take(cost_of_part(part))) {
            budget_.give_back(cost_of_slots(after));
            return false;
        }
        parts_.emplace_back(length_of(part) * sizeof(Entry));
        const Pages old = std::exchange(slots_, Pages(after * sizeof(Slot)));
        slot_count_ = after;
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(after));
        const bool all_placed = place_again({static_cast<const Slot*>(old.data()), before});
        budget_.give_back(cost_of_slots(before));
        return all_placed;
    }

    // Moves the slots to their new places, from first to last. Their tags decide where.
    bool place_again(std::span<const Slot> old) {
        BudgetedVector<uint32_t> crowded(budget_);
        bool has_room = true;
        crowded_.for_each([&](const Crowded& entry) { has_room = has_room && crowded.push_back(entry.number); });
        if (!has_room) return false;
        crowded_.clear();
        const auto put = [&](uint64_t hash, uint32_t number) {
            return place(hash, room_for(hash), number, [&] { return at(number - 1).key; });
        };
        // No processor foresees which slots are in use: they are gathered without branches first.
        std::array<Slot, 8 * kPerLine> used;
        for (; !old.empty(); old = old.subspan(std::min(old.size(), used.size()))) {
            size_t count = 0;
            for (const Slot& slot : old.first(std::min(old.size(), used.size()))) {
                used[count] = slot;
                count += slot.number != 0 ? 1 : 0;
            }
            for (const Slot& slot : std::span(used).first(count))
                if (!put(uint64_t{slot.tag} << 32, slot.number)) return false;
        }
        return std::ranges::all_of(crowded, [&](uint32_t number) { return put(hash_of(at(number - 1).key), number); });
    }

    Budget& budget_;
    WorkCounter& work_;
    const uint64_t secret_;  // the seed of the run
    uint64_t seed_ = 0;      // that the hash depends on: none, or the secret
    bool is_seeded_ = false;
    std::vector<Pages> parts_;
    Pages slots_;
    size_t slot_count_ = 0;
    uint32_t size_ = 0;
    unsigned shift_ = 64;
    SortedTable<Crowded> crowded_;
};

// Its high bits depend on all bits of the id, also where ids come at equal distances, as allocators return them: a
// product by itself would put many of those into few slots.
constexpr uint64_t scattered(uint64_t id) { return spread(id ^ id >> 11); }

// The last ids that have nothing left to report.
using SettledIds = RecentKeys<scattered>;

}  // namespace tracelint::mlpd
