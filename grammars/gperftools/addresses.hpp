// gperftools, section 4: the distinct addresses of a profile, and where each was met first.
#pragma once

#include <span>

#include "grammars/gperftools/pile.hpp"
#include "validator/pages.hpp"
#include "validator/spread.hpp"

namespace tracelint::gperftools {

// A slot of a call chain.
struct Slot {
    uint64_t offset = 0;
    uint64_t record : 48 = 0;   // its number in the file
    uint64_t element : 16 = 0;  // of the chain; 65535 at most, as no deeper chain is looked into
};
static_assert(sizeof(Slot) == 16);

// A return address.
struct Caller {
    uint64_t key = 0;
    Slot first;
    void absorb(const Caller&) {}
};

// A sampled PC, with the records that have it.
struct Leaf {
    uint64_t key = 0;
    Slot first;
    uint64_t records = 0, samples = 0;
    void absorb(const Leaf& later) {
        records += later.records;
        samples = saturating_add(samples, later.samples);
    }
};

// Return addresses. A profile has few that differ and meets them over and over, so a small table of those that were
// met lately keeps nearly all away from the pile.
class Callers {
  public:
    Callers(Budget& budget, WorkCounter& work);

    // Whether the address is known to be there. Never says so of address 0.
    bool knows(uint64_t address) const { return recent_[home_of(address)] == address; }
    // Adds an address that knows() does not know; false when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, const Slot& slot);
    std::span<const Caller> sorted() { return pile_.sorted(); }
    void clear();
    void release();

  private:
    static constexpr unsigned kBits = 16;
    static constexpr size_t kWays = 4;  // places where an address may be; its home is the first one that is tried

    static size_t home_of(uint64_t address) { return spread(address) >> (64 - kBits); }
    // An address that is not at home in these ways, so that none is found there.
    static constexpr uint64_t vacant(size_t place) { return place / kWays == 0 ? 1 : 0; }
    void vacate(size_t place);

    Pile<Caller> pile_;
    Zeros<uint64_t> recent_{size_t{1} << kBits};
};

// Sampled PCs, of which there is one in a record.
class Leaves {
  public:
    Leaves(Budget& budget, WorkCounter& work);

    // False when the budget is spent.
    [[nodiscard]] bool add(uint64_t address, uint64_t samples, const Slot& slot) {
        Leaf& recent = recent_[home_of(address)];
        if (recent.key != address || recent.records == 0) [[unlikely]]
            if (!replace(recent, address, slot)) return false;
        ++recent.records;
        recent.samples = saturating_add(recent.samples, samples);
        return true;
    }
    // Moves everything to the pile; false when the budget is spent.
    [[nodiscard]] bool settle();
    // After settle().
    std::span<const Leaf> sorted() { return pile_.sorted(); }
    void clear();
    void release();

  private:
    static constexpr unsigned kBits = 12;
    static constexpr size_t kRecent = size_t{1} << kBits;
    static size_t home_of(uint64_t address) { return spread(address) >> (64 - kBits); }
    bool replace(Leaf& recent, uint64_t address, const Slot& slot);

    Pile<Leaf> pile_;
    Zeros<Leaf> recent_{kRecent};  // not in the pile yet; those without records are vacant
    std::vector<uint16_t> taken_;  // those that are not
};

// Where an address was met first, in one part or the other.
inline const Slot& first_of(const Leaf* leaf, const Caller* caller) {
    if (leaf == nullptr) return caller->first;
    return caller == nullptr || leaf->first.offset < caller->first.offset ? leaf->first : caller->first;
}

// Visits every distinct address by ascending value, as what it is: visit(address, leaf or null, caller or null).
// The leaves are settled.
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
