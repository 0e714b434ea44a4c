// XRay: what is remembered of threads, in FDR and in basic files.
#include "grammars/xray/checks/threads.hpp"

namespace tracelint::xray {

// XRay, sections 4.4 and 5.5: the buffers of each thread.

Threads::Thread* Threads::thread(const ThreadKey& key, const Place& at) {
    if (Thread* known = threads_.find(key)) return known;
    if (!tracking_threads_) return nullptr;
    Thread fresh;
    fresh.key = key;
    if (threads_.insert(fresh)) return threads_.find(key);
    stop_tracking(context_, tracking_threads_, at);
    return nullptr;
}

bool Threads::is_first_orphan(const ThreadKey& key, const Place& at) {
    Thread* known = thread(key, at);
    return known != nullptr && !std::exchange(known->orphan_seen, true);
}

void Threads::add(const BufferIdentity& buffer, const BufferEnd& end) {
    if (!buffer.is_complete()) return;
    const BufferTime time = buffer.time();
    const uint64_t offset = buffer.new_buffer.offset;
    if (tracking_buffers_) {
        if (context_.budget.take(sizeof(Seen))) {
            const ThreadKey& key = buffer.thread;
            seen_.push_back({static_cast<int32_t>(key.pid), static_cast<int32_t>(key.tid),
                             static_cast<int32_t>(time.micros), key.pid != kNone, false, time.seconds, time.first_tsc,
                             end.last_tsc, offset, buffer.new_buffer.record_index});
        } else {
            stop_tracking(context_, tracking_buffers_, buffer.new_buffer);
        }
    }
    Thread* known = thread(buffer.thread, buffer.new_buffer);
    in_time_order_ = in_time_order_ && known != nullptr && follows(buffer, *known);
    if (known == nullptr) return;
    if (end.last_tsc >= time.first_tsc) known->latest_tsc = std::max(known->latest_tsc, end.last_tsc);
    if (known->has_buffer && time < known->time) return;
    known->has_buffer = true;
    known->in_order = end.in_order;
    known->time = time;
    known->open_entries = end.open_entries;
    known->last_record = end.last_record;
}

// Whether a buffer is of the process of all others, and later than those of its thread.
bool Threads::follows(const BufferIdentity& buffer, const Thread& thread) {
    if (!process_) process_ = buffer.thread.pid;
    if (*process_ != buffer.thread.pid) return false;
    return !thread.has_buffer || (thread.time < buffer.time() && thread.latest_tsc <= *buffer.first_tsc);
}

void Threads::finish() {
    if (!in_time_order_) {
        report_duplicates();
        // Which of two buffers is named depends on all others of the thread.
        if (tracking_buffers_) report_overlaps();
    }
    report_open_entries();
}

Place Threads::place_of(const Seen& seen) {
    return {seen.offset, kMetadataSize, &kNewBuffer, nullptr, nullptr, seen.index};
}

namespace {

constexpr Rule kDuplicateBuffer{
    .id = "xray/duplicate-buffer",
    .severity = Severity::warning,
    .statement = "a buffer occurs once in the file",
    .message = "an earlier buffer has the same thread {0}, wall clock and first TSC",
    .why = "readers count its calls twice; parts of the file were copied or joined",
    .spec = "3.2 Buffers and FDR versions; 5.5 Threads and calls",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void Threads::report_duplicates() {
    const auto same = [](const Seen& s) { return std::tie(s.tid, s.seconds, s.micros, s.first_tsc); };
    std::sort(seen_.begin(), seen_.end(), [&](const Seen& a, const Seen& b) {
        context_.work.add(1);
        return std::tuple_cat(same(a), std::tie(a.offset)) < std::tuple_cat(same(b), std::tie(b.offset));
    });
    const Seen* before = nullptr;
    for (Seen& seen : seen_) {
        seen.is_reported = before != nullptr && same(*before) == same(seen);
        if (seen.is_reported) {
            Diagnostic finding{.rule = &kDuplicateBuffer, .place = place_of(seen)};
            finding.numbers = {static_cast<uint32_t>(seen.tid)};
            finding.related_offset = before->offset;
            finding.related_length = kMetadataSize;
            context_.report.add(finding);
        }
        before = &seen;
    }
}

namespace {

constexpr Rule kOverlappingBuffers{
    .id = "xray/overlapping-buffers",
    .severity = Severity::warning,
    .statement = "a thread fills one buffer at a time",
    .message = "the buffer's TSC range {0} to {1} overlaps that of another buffer of thread {2}",
    .why = "readers mix up the calls of the two buffers: nesting and durations are wrong",
    .spec = "3.2 Buffers and FDR versions; 5.5 Threads and calls",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void Threads::report_overlaps() {
    const size_t erased = std::erase_if(seen_, [](const Seen& s) { return s.is_reported || s.last_tsc < s.first_tsc; });
    context_.budget.give_back(erased * sizeof(Seen));
    std::sort(seen_.begin(), seen_.end(), [&](const Seen& a, const Seen& b) {
        context_.work.add(1);
        return std::tuple_cat(thread_of(a), std::tie(a.first_tsc, a.last_tsc, a.offset)) <
               std::tuple_cat(thread_of(b), std::tie(b.first_tsc, b.last_tsc, b.offset));
    });
    Seen* longest = nullptr;  // the buffer of the thread that ends last
    for (Seen& seen : seen_) {
        if (longest == nullptr || thread_of(*longest) != thread_of(seen)) {
            longest = &seen;
            continue;
        }
        if (seen.first_tsc < longest->last_tsc) {
            Seen& later = seen.offset > longest->offset ? seen : *longest;
            Seen& earlier = &later == &seen ? *longest : seen;
            if (!std::exchange(later.is_reported, true)) {
                Diagnostic finding{.rule = &kOverlappingBuffers, .place = place_of(later)};
                finding.numbers = {later.first_tsc, later.last_tsc, static_cast<uint32_t>(later.tid)};
                finding.related_offset = earlier.offset;
                finding.related_length = kMetadataSize;
                context_.report.add(finding);
            }
        }
        if (seen.last_tsc > longest->last_tsc) longest = &seen;
    }
}

namespace {

constexpr Rule kUnclosedEntries{
    .id = "xray/unclosed-entries",
    .severity = Severity::note,
    .statement = "a thread exits the functions that it entered",
    .message = "{0 call is|calls are} still open when the last buffer of the thread ends",
    .why = "legal where a thread was stopped or the trace was finalised; reports miss the calls",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

}  // namespace

void Threads::report_open_entries() {
    threads_.for_each([&](const Thread& thread) {
        if (!thread.in_order || thread.open_entries == 0) return;
        context_.report.add<kUnclosedEntries>(thread.last_record, {thread.open_entries});
    });
}

constinit const RuleList kThreadRules = rules<&kDuplicateBuffer, &kOverlappingBuffers, &kUnclosedEntries>;

// XRay, section 3.5: the threads of a basic file.

BasicThread* BasicThreads::find_or_add(uint64_t key) {
    if (BasicThread* const known = find(key)) return known;
    if (!calls_.budget.take(sizeof(BasicThread))) return nullptr;
    BasicThread& fresh = all_.emplace_back(key);
    if (threads_.insert({key, &fresh})) return &fresh;
    all_.pop_back();
    calls_.budget.give_back(sizeof(BasicThread));
    return nullptr;
}

void BasicThreads::drop_calls() {
    for (BasicThread& thread : all_) thread.calls.clear(calls_);
    calls_.counts.clear();
}

void BasicThreads::clear() {
    drop_calls();
    calls_.budget.give_back(all_.size() * sizeof(BasicThread));
    threads_.clear();
    all_.clear();
}

}  // namespace tracelint::xray
