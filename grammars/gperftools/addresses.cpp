// gperftools, section 4.3: the distinct addresses of a profile.
#include "grammars/gperftools/addresses.hpp"

namespace tracelint::gperftools {

bool Callers::add(uint64_t address, const Slot& slot) {
    if (address != 0 && recent_.bring_home(address)) return true;
    if (!all_.add({address, slot})) return false;
    if (address != 0) recent_.enter(address);
    return true;
}

void Callers::clear() {
    recent_.clear();
    all_.clear();
}

void Callers::release() {
    clear();
    all_.release();
}

Leaves::Leaves(Budget& budget, WorkCounter& work) : settled_(budget, work) {}

// The entry that is vacant or has another address becomes that of `address`. False: the budget is spent.
bool Leaves::enter(uint64_t address, uint64_t samples, const Slot& slot) {
    Leaf* recent = &recent_[home_of(address)];
    if (recent->records != 0 && is_small() && ++moved_ == kMostMoved) {
        if (!grow()) return false;
        recent = &recent_[home_of(address)];
    }
    if (recent->records == 0)
        taken_.push_back(static_cast<uint16_t>(recent - recent_.data()));
    else if (!settled_.add(*recent))
        return false;
    *recent = {address, slot, 1, samples};
    return true;
}

bool Leaves::grow() {
    if (!settle()) return false;
    shift_ = 64 - kBits;
    recent_ = Zeros<Leaf>(size_t{1} << kBits);
    taken_.reserve(size_t{1} << kBits);
    return true;
}

bool Leaves::settle() {
    for (const uint16_t place : taken_) {
        if (!settled_.add(recent_[place])) return false;
        recent_[place] = {};
    }
    taken_.clear();
    return true;
}

void Leaves::clear() {
    for (const uint16_t place : taken_) recent_[place] = {};
    taken_.clear();
    settled_.clear();
}

void Leaves::release() {
    clear();
    settled_.release();
}

}  // namespace tracelint::gperftools
