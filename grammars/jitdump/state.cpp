// What is remembered across records (sections 4.2 and 4.3).
#include "grammars/jitdump/state.hpp"

#include "validator/tracking_limit.hpp"

namespace tracelint::jitdump {

LiveRange* LiveRanges::first_overlapping(uint32_t pid, uint64_t start, uint64_t last) {
    LiveRange* before = ranges_.before({pid, start});
    if (before != nullptr && before->key.pid == pid && before->last >= start) return before;
    LiveRange* after = ranges_.at_or_after({pid, start});
    return after != nullptr && after->key.pid == pid && after->key.start <= last ? after : nullptr;
}

bool LiveRanges::overlaps(uint32_t pid, uint64_t start, uint64_t last, uint64_t owner) {
    LiveRange* found = first_overlapping(pid, start, last);
    if (found == nullptr || found->owner != owner) return found != nullptr;
    // The owner has one range, and no other range overlaps it: look after its end.
    if (found->last >= last) return false;
    return first_overlapping(pid, found->last + 1, last) != nullptr;
}

bool LiveRanges::enter(const LiveRange& range, bool& overlapped) {
    while (const LiveRange* old = first_overlapping(range.key.pid, range.key.start, range.last)) {
        overlapped = true;
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

constexpr Rule kTrackingLimit = tracking_limit("jitdump/tracking-limit", "5.7 Limits of a run", false);

void State::stop_tracking(const Place& record) {
    if (!tracking) return;
    forget();
    report_limit(record, false, "memory limit: checks across records are skipped from here on");
}

void State::lose_track(const Place& load, uint64_t total_size) {
    if (!tracking) return leave_unchecked(load, total_size);
    forget();
    const bool of_record = is_above_record_limit(total_size);
    report_limit(load, of_record,
                 of_record
                     ? "record limit: this LOAD is not checked, and checks across records are skipped from here on"
                     : "memory limit: this LOAD is not checked, and checks across records are skipped from here on");
}

void State::leave_unchecked(const Place& record, uint64_t total_size) {
    const bool of_record = is_above_record_limit(total_size);
    report_limit(record, of_record,
                 of_record ? "record limit: the body of this record is not checked"
                           : "memory limit: the body of this record is not checked");
}

void State::forget() {
    tracking = false;
    functions.clear();
    live.clear();
    code_addresses.clear();
}

void State::report_limit(const Place& record, bool of_record, std::string_view hint) {
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = record,
                .numbers = {of_record ? context.limits.record : context.limits.memory},
                .hint = hint});
}

namespace {
constexpr const Rule* kRules[] = {&kTrackingLimit};
}  // namespace
constinit const RuleList kStateRules{kRules};

}  // namespace tracelint::jitdump
