// Ranges of addresses. Ranges that overlap are joined.
#include "grammars/gperftools/ranges.hpp"

namespace tracelint::gperftools {

Ranges::Range* Ranges::overlapping(uint64_t first, uint64_t last) {
    const auto [before, after] = ranges_.around(first);
    if (after != nullptr && after->key <= last) return after;
    return before != nullptr && before->last >= first ? before : nullptr;
}

bool Ranges::add(uint64_t first, uint64_t last, uint64_t image, Overlap& overlap) {
    Range* other = overlapping(first, last);
    overlap = other == nullptr ? Overlap::none : Overlap::other;
    if (other != nullptr && other->key == first && other->last == last) {
        const bool can_share = image != 0 && other->image != 0;
        if (can_share && image != other->image) overlap = Overlap::shared;
        if (can_share) return true;
    }
    for (; other != nullptr; other = overlapping(first, last)) {
        if (other->key <= first && other->last >= last) {
            other->image = 0;
            return true;
        }
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        ranges_.erase(other->key);
    }
    return ranges_.insert({first, last, overlap == Overlap::none ? image : 0});
}

bool Ranges::contains(uint64_t address) { return overlapping(address, address) != nullptr; }

}  // namespace tracelint::gperftools
