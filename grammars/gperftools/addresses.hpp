// gperftools, section 4.3: the distinct addresses of a profile, and where each occurs first.
#pragma once

#include <span>

#include "grammars/gperftools/merge_buffer.hpp"
#include "validator/memory/pages.hpp"
#include "validator/memory/recent_keys.hpp"
#include "validator/memory/spread.hpp"

namespace tracelint::gperftools {

// A slot of a call chain.
struct Slot {
    uint64_t offset = 0;        // in the file, in bytes
    uint64_t record : 48 = 0;   // number of the record in the file
    uint64_t element : 16 = 0;  // of the chain; at most 65535, because deeper chains are not read
};
static_assert(sizeof(Slot) == 16);

// A return address.
struct Caller {
    uint64_t key = 0;
    Slot first;
    void absorb(const Caller&) {}
};

// A sampled PC, with the number of its records and samples.
struct Leaf {
    uint64_t key = 0;
    Slot first;
    uint64_t records = 0, samples = 0;
    void absorb(const Leaf& later) {
        records += later.records;
        samples = saturating_add(samples, later.samples);
    }
};

// Return addresses. A profile repeats few distinct ones over and over, so a small table of recent addresses keeps
// nearly all of them out of the buffer.
class Callers {
  public:
    Callers(Budget& budget, WorkCounter& work) : all_(budget, work), recent_(kRecent, work) {}

    // Whether the address was added and is still in the table of recent ones. Always false for address 0.
    bool knows(uint64_t address) const { return recent_.is_at_home(address); }
    // The same for loops that keep it in registers: is_at_home(address). Valid until the next call of another member.
    RecentKeys<spread>::Reader recent() const { return RecentKeys<spread>::Reader(recent_); }
    // Adds an address for which knows() is false. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, const Slot& slot);
    std::span<const Caller> sorted() { return all_.sorted(); }
    void clear();
    void release();

  private:
    static constexpr size_t kRecent = 65536;

    MergeBuffer<Caller> all_;
    RecentKeys<spread> recent_;
};

// Sampled PCs, one per record.
class Leaves {
  public:
    Leaves(Budget& budget, WorkCounter& work);

    // Adds a record to an address that was added recently. False: it was not, and add() has more to do.
    bool count(uint64_t address, uint64_t samples) {
        Leaf& recent = recent_[home_of(address)];
        if (recent.key != address || recent.records == 0) [[unlikely]]
            return false;
        ++recent.records;
        recent.samples = saturating_add(recent.samples, samples);
        return true;
    }
    // Adds a record to any address. False when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, uint64_t samples, const Slot& slot) {
        return count(address, samples) || enter(address, samples, slot);
    }
    // Moves everything to the buffer. False when the budget is spent.
    [[nodiscard]] bool settle();
    // Call after settle().
    std::span<const Leaf> sorted() { return settled_.sorted(); }
    void clear();
    void release();

  private:
    // Small profiles do with the first size. The table grows once, when so many entries had to make room for others.
    static constexpr unsigned kFewBits = 6, kBits = 12, kMostMoved = 512;
    size_t home_of(uint64_t address) const { return spread(address) >> shift_; }
    bool is_small() const { return shift_ == 64 - kFewBits; }
    bool enter(uint64_t address, uint64_t samples, const Slot& slot);
    bool grow();

    MergeBuffer<Leaf> settled_;
    Zeros<Leaf> recent_{size_t{1} << kFewBits};  // not in the buffer yet; entries without records are vacant
    unsigned shift_ = 64 - kFewBits, moved_ = 0;
    std::vector<uint16_t> taken_;  // indices of those that are not vacant
};

// Where an address occurs first, as a sampled PC or as a return address.
inline const Slot& first_of(const Leaf* leaf, const Caller* caller) {
    if (leaf == nullptr) return caller->first;
    return caller == nullptr || leaf->first.offset < caller->first.offset ? leaf->first : caller->first;
}

// Visits every distinct address by ascending value: visit(address, leaf or null, caller or null). The leaves must be
// settled.
template <class Visit>
void for_each_address(Leaves& leaves, Callers& callers, Visit visit) {
    const std::span<const Leaf> sampled = leaves.sorted();
    const std::span<const Caller> returned = callers.sorted();
    auto leaf = sampled.begin();
    auto caller = returned.begin();
    while (leaf != sampled.end() || caller != returned.end()) {
        const bool is_leaf = leaf != sampled.end() && (caller == returned.end() || leaf->key <= caller->key);
        const bool is_caller = caller != returned.end() && (leaf == sampled.end() || caller->key <= leaf->key);
        visit(is_leaf ? leaf->key : caller->key, is_leaf ? &*leaf : nullptr, is_caller ? &*caller : nullptr);
        leaf += is_leaf;
        caller += is_caller;
    }
}

}  // namespace tracelint::gperftools
