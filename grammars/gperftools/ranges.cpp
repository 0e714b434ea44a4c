// Ranges of addresses. Ranges that overlap are joined.
#include "grammars/gperftools/ranges.hpp"

namespace tracelint::gperftools {

Ranges::Range* Ranges::overlapping(uint64_t first, uint64_t last) {
    const auto [before, after] = ranges_.around(first);
    if (after != nullptr && after->key <= last) return after;
    return before != nullptr && before->last >= first ? before : nullptr;
}

bool Ranges::add(uint64_t first, uint64_t last, bool& overlaps) {
    while (const Range* const other = overlapping(first, last)) {
        overlaps = true;
        if (other->key <= first && other->last >= last) return true;
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        ranges_.erase(other->key);
    }
    return ranges_.insert({first, last});
}

bool Ranges::contains(uint64_t address) { return overlapping(address, address) != nullptr; }

}  // namespace tracelint::gperftools
