// jitdump, section 4: what the walk remembers across records.
#include "grammars/jitdump/state.hpp"

#include "grammars/jitdump/walk.hpp"

namespace tracelint::jitdump {

LiveRange* LiveRanges::first_meeting(uint32_t pid, uint64_t start, uint64_t last) {
    LiveRange* before = ranges_.before({pid, start});
    if (before != nullptr && before->key.pid == pid && before->last >= start) return before;
    LiveRange* after = ranges_.at_or_after({pid, start});
    return after != nullptr && after->key.pid == pid && after->key.start <= last ? after : nullptr;
}

bool LiveRanges::meets(uint32_t pid, uint64_t start, uint64_t last, uint64_t owner) {
    LiveRange* met = first_meeting(pid, start, last);
    if (met == nullptr || met->owner != owner) return met != nullptr;
    // The owner has one range, and the next one cannot meet it: look behind it.
    if (met->last >= last) return false;
    return first_meeting(pid, met->last + 1, last) != nullptr;
}

bool LiveRanges::enter(const LiveRange& range, bool& met) {
    while (const LiveRange* old = first_meeting(range.key.pid, range.key.start, range.last)) {
        met = true;
        ranges_.erase(old->key);
    }
    return ranges_.insert(range);
}

void LiveRanges::leave(uint32_t pid, uint64_t start, uint64_t owner) {
    const LiveRange* range = ranges_.find({pid, start});
    if (range != nullptr && range->owner == owner) ranges_.erase({pid, start});
}

Function* Functions::find_latest(uint64_t index) {
    Latest* latest = latest_.find(index);
    return latest == nullptr ? nullptr : &latest->function;
}

Function* Functions::find(uint32_t pid, uint64_t index) {
    Function* latest = find_latest(index);
    if (latest == nullptr || latest->pid == pid) return latest;
    Other* other = others_.find({index, pid});
    return other == nullptr ? nullptr : &other->function;
}

bool Functions::enter(uint64_t index, const Function& function) {
    Function* latest = find_latest(index);
    if (latest == nullptr) return latest_.insert({index, function});
    if (latest->pid != function.pid) {
        others_.erase({index, function.pid});
        if (!others_.insert({{index, latest->pid}, *latest})) return false;
    }
    *latest = function;
    return true;
}

void State::stop_tracking(const Place& record) {
    if (!tracking) return;
    tracking = false;
    functions.clear();
    live.clear();
    code_addresses.clear();
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = record,
                .numbers = {context.limits.memory},
                .hint = "the memory limit: nothing that ties records together is checked from here on"});
}

void State::leave_out(const Place& record) {
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = record,
                .numbers = {context.limits.record},
                .hint = "the record limit: the insides of this record are not checked"});
}

}  // namespace tracelint::jitdump
