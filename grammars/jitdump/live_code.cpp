// Which code is where (sections 4.3 and 4.4).
#include "grammars/jitdump/live_code.hpp"

#include <utility>

namespace tracelint::jitdump {
namespace {

// The first range of the process that overlaps [first, last], or null. `around`: the neighbours of `first`.
template <class Neighbours>
auto first_overlapping(const Neighbours& around, uint32_t pid, uint64_t first, uint64_t last) {
    const auto* const before = around.before;
    if (before != nullptr && before->is_of(pid) && before->last() >= first) return before;
    const auto* const after = around.at_or_after;
    return after != nullptr && after->is_of(pid) && after->start() <= last ? after : nullptr;
}

}  // namespace

bool LiveCode::load(const Range& range, bool& overlapped) {
    if (range.size == 0) return remember(range.start);
    if (!std::exchange(has_pid_, true)) pid_ = range.pid;
    if (range.pid == pid_) return enter_own({range.start, range.owner | OwnRange::kLoaded, range.size}, overlapped);
    return remember(range.start) && enter_foreign({{range.pid, range.start}, range.owner, range.size}, overlapped);
}

bool LiveCode::move(uint64_t from, const Range& to) {
    if (!leave(to.pid, from, to.owner)) return false;
    bool ignored = false;
    if (has_pid_ && to.pid == pid_) return enter_own({to.start, to.owner, to.size}, ignored);
    return enter_foreign({{to.pid, to.start}, to.owner, to.size}, ignored);
}

bool LiveCode::enter_own(const OwnRange& range, bool& overlapped) {
    while (true) {
        const auto around = own_.around(range.key);
        const OwnRange* const old = first_overlapping(around, pid_, range.start(), range.last());
        if (old == nullptr) return own_.insert_there(range);
        overlapped = true;
        const bool is_reloaded = range.is_loaded() && old->start() == range.start();
        if (old->is_loaded() && !is_reloaded && !remember(old->start())) return false;
        own_.erase(old->key);
    }
}

bool LiveCode::enter_foreign(const ForeignRange& range, bool& overlapped) {
    while (true) {
        const auto around = foreign_.around(range.key);
        const ForeignRange* const old = first_overlapping(around, range.key.pid, range.start(), range.last());
        if (old == nullptr) return foreign_.insert_there(range);
        overlapped = true;
        foreign_.erase(old->key);
    }
}

// Removes the range at `start` if `owner` still owns it. False if the budget is spent.
bool LiveCode::leave(uint32_t pid, uint64_t start, uint64_t owner) {
    if (has_pid_ && pid == pid_) {
        const OwnRange* const range = own_.find(start);
        if (range == nullptr || (range->owner & ~OwnRange::kLoaded) != owner) return true;
        if (range->is_loaded() && !remember(start)) return false;
        own_.erase(start);
        return true;
    }
    const ForeignRange* const range = foreign_.find({pid, start});
    if (range != nullptr && range->owner == owner) foreign_.erase({pid, start});
    return true;
}

bool LiveCode::remember(uint64_t address) {
    return addresses_.find(address) != nullptr || addresses_.insert({address});
}

bool LiveCode::overlaps(uint32_t pid, uint64_t first, uint64_t last) {
    if (has_pid_ && pid == pid_) return first_overlapping(own_.around(first), pid, first, last) != nullptr;
    return first_overlapping(foreign_.around({pid, first}), pid, first, last) != nullptr;
}

bool LiveCode::was_loaded_at(uint64_t address) {
    const OwnRange* const range = own_.find(address);
    return (range != nullptr && range->is_loaded()) || addresses_.find(address) != nullptr;
}

void LiveCode::clear() {
    own_.clear();
    foreign_.clear();
    addresses_.clear();
}

}  // namespace tracelint::jitdump
