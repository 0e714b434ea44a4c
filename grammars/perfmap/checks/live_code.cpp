// perf map, section 4.2: which code is where.
#include "grammars/perfmap/checks/live_code.hpp"

#include "grammars/perfmap/machine.hpp"

namespace tracelint::perfmap {
namespace {

constexpr Rule kDuplicateLine{
    .id = "perfmap/duplicate-line",
    .severity = Severity::note,
    .statement = "a function is written once",
    .message = "the same function was written before",
    .why = "harmless: readers find the same name either way",
    .spec = "4.2 Ranges",
    .since = "0.2.0",
};

constexpr Rule kOverlap{
    .id = "perfmap/overlap",
    .severity = Severity::note,
    .statement = "the code of a function overlaps that of no earlier one",
    .message = "the code from {0x} on, {1 byte|bytes}, overlaps that of an earlier line",
    .why =
        "code was freed and its memory used again, as V8 and Mono do all the time; perf keeps both lines and may show "
        "the old name",
    .spec = "4.2 Ranges",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when = "an earlier line has the same START and another name (reported once for each START)",
            .message = "the code at {0x} gets another name here ({1} in all); perf gives all samples to the first",
            .why =
                "code was freed and its memory given to another function; the map does not say when, so samples of one "
                "function are shown under the name of the other. A jitdump has times: record with -k mono and "
                "perf inject --jit, or keep code from being freed"},
};

// FNV-1a.
uint64_t hash_of(std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
}

}  // namespace

const LiveCode::Range* LiveCode::overlapping(uint64_t first, uint64_t last) {
    const auto [before, after] = ranges_.around(first);
    if (before != nullptr && before->last >= first) return before;
    return after != nullptr && after->key <= last ? after : nullptr;
}

template <const Rule& R>
void LiveCode::report(const Added& added, const Place& place, std::array<uint64_t, 4> numbers) {
    context_.report.add({.rule = &R, .place = place, .numbers = numbers, .about_end = !added.is_line_terminated});
}

void LiveCode::add(const LineInFile& line) {
    const uint64_t size = line.parts.size.value;
    if (!is_tracking_ || size == 0) return;
    const uint64_t first = line.parts.start.value, last = first + (size - 1);
    const uint64_t name = hash_of(line.parts.name.of(line.parts.text));
    ranges_.prefetch_group(first);
    added_.add(
        {{first, last, name}, line.whole(), line.range(), line.is_terminated},
        [&](const Added& halfway) { ranges_.prefetch(halfway.range.key); },
        [&](const Added& earlier) { compare(earlier); });
}

void LiveCode::compare(const Added& added) {
    if (!is_tracking_) return;
    const auto& [first, last, name] = added.range;
    const Range* old = overlapping(first, last);
    if (old != nullptr && old->key == first && old->last == last && old->name == name)
        return report<kDuplicateLine>(added, added.line);
    const bool is_renamed = old != nullptr && old->key == first && old->name != name;
    if (is_renamed && !note_name(added)) return give_up(added);
    if (old != nullptr && !is_renamed) report<kOverlap>(added, added.place, {first, last - first + 1});
    for (; old != nullptr; old = overlapping(first, last)) ranges_.erase(old->key);
    // The last search was for this key.
    if (!ranges_.insert_there(added.range)) give_up(added);
}

// The memory is spent.
void LiveCode::give_up(const Added& added) {
    report<kTrackingLimit>(added, added.line, {context_.limits.memory});
    context_.limit_hit = true;
    forget();
}

// Another name of the START of a line. False: the memory is spent.
bool LiveCode::note_name(const Added& added) {
    if (Shared* const shared = shared_.find(added.range.key)) {
        ++shared->names;
        return true;
    }
    return shared_.insert({added.range.key, 2, added.place, !added.is_line_terminated});
}

void LiveCode::finish() {
    added_.take_all([&](const Added& added) { compare(added); });
    report_shared();
}

void LiveCode::report_shared() {
    for (const Shared* shared = shared_.at_or_after(0); shared != nullptr;) {
        const uint64_t start = shared->key;
        context_.report.add({.rule = &kOverlap,
                             .place = shared->place,
                             .numbers = {start, shared->names},
                             .is_overridden = true,
                             .about_end = shared->about_end});
        shared = start == kNone ? nullptr : shared_.at_or_after(start + 1);
    }
    shared_.clear();
}

void LiveCode::forget() {
    is_tracking_ = false;
    ranges_.clear();
}

void LiveCode::stop() {
    finish();
    forget();
}

constinit const RuleList kLiveCodeRules = rules<&kDuplicateLine, &kOverlap>;

}  // namespace tracelint::perfmap
