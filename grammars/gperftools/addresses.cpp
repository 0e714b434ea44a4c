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

Leaves::Leaves(Budget& budget, WorkCounter& work) : settled_(budget, work) { taken_.reserve(kRecent); }

bool Leaves::replace(Leaf& recent, uint64_t address, const Slot& slot) {
    if (recent.records == 0)
        taken_.push_back(static_cast<uint16_t>(&recent - recent_.data()));
    else if (!settled_.add(recent))
        return false;
    recent = {address, slot};
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
