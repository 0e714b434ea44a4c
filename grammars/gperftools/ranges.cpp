// The addresses that the mapping lines of a profile list.
#include "grammars/gperftools/ranges.hpp"

namespace tracelint::gperftools {
namespace {

template <class Table>
auto overlapping_in(Table& table, uint64_t first, uint64_t last) {
    const auto [before, after] = table.around(first);
    if (after != nullptr && after->key <= last) return after;
    return before != nullptr && before->last >= first ? before : nullptr;
}

}  // namespace

AddressSet::Span* AddressSet::overlapping(uint64_t first, uint64_t last) { return overlapping_in(spans_, first, last); }

bool AddressSet::add(uint64_t first, uint64_t last) {
    for (Span* other = overlapping(first, last); other != nullptr; other = overlapping(first, last)) {
        if (other->key <= first && other->last >= last) return true;
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        spans_.erase(other->key);
    }
    return spans_.insert_there({first, last});
}

Ranges::Range* Ranges::overlapping(uint64_t first, uint64_t last) { return overlapping_in(ranges_, first, last); }

bool Ranges::add(uint64_t first, uint64_t last, uint64_t image, bool is_executable, Overlap& overlap) {
    Range* other = overlapping(first, last);
    overlap = other == nullptr ? Overlap::none : Overlap::other;
    constexpr uint64_t kImageBits = ~uint64_t{0} >> 1;
    const Range added{first, last, image & kImageBits, is_executable};
    if (other != nullptr && other->key == first && other->last == last && added.image != 0 && other->image != 0) {
        if (added.image != other->image) overlap = Overlap::shared;
        other->is_executable |= added.is_executable;
        return true;
    }
    for (; other != nullptr; other = overlapping(first, last)) {
        if (other->key <= first && other->last >= last) {
            other->image = 0;
            return !is_executable || other->is_executable || executable_.add(first, last);
        }
        // If only one of the two is executable, what they are joined to is not.
        if (is_executable && !other->is_executable && !executable_.add(first, last)) return false;
        if (!is_executable && other->is_executable && !executable_.add(other->key, other->last)) return false;
        is_executable = is_executable && other->is_executable;
        first = std::min(first, other->key);
        last = std::max(last, other->last);
        ranges_.erase(other->key);
    }
    return ranges_.insert_there({first, last, overlap == Overlap::none ? added.image : 0, is_executable});
}

bool Ranges::is_executable(uint64_t address) {
    const Range* const range = overlapping(address, address);
    return (range != nullptr && range->is_executable) || executable_.contains(address);
}

}  // namespace tracelint::gperftools
