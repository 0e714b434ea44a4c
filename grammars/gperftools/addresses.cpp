// gperftools, section 4.3: the distinct addresses of a profile.
#include "grammars/gperftools/addresses.hpp"

namespace tracelint::gperftools {

Callers::Callers(Budget& budget, WorkCounter& work) : all_(budget, work) {
    // Elsewhere the initial zeros are vacant.
    for (size_t place = 0; place < kWays; ++place) recent_[place] = vacant(place);
}

bool Callers::add(uint64_t address, const Slot& slot) {
    const size_t home = home_of(address);
    if (address != 0)
        for (size_t way = 1; way < kWays; ++way)
            if (recent_[home ^ way] == address) {
                std::swap(recent_[home ^ way], recent_[home]);
                return true;
            }
    if (!all_.add({address, slot})) return false;
    if (address == 0) return true;
    for (size_t way = kWays - 1; way > 0; --way) recent_[home ^ way] = recent_[home ^ (way - 1)];
    recent_[home] = address;
    return true;
}

void Callers::vacate(size_t place) {
    for (size_t way = 0; way < kWays; ++way) recent_[place ^ way] = vacant(place);
}

// Clears only the places that this profile used: a file may have thousands of small profiles.
void Callers::clear() {
    for (const Caller& caller : all_.sorted()) vacate(home_of(caller.key));
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
