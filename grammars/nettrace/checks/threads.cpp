#include "grammars/nettrace/checks/threads.hpp"

namespace tracelint::nettrace {
namespace {

using Part = EventPlaces::Part;

constexpr Rule kUnknownThreadIndex{
    .id = "nettrace/unknown-thread-index",
    .severity = Severity::error,
    .statement = "events and sequence points name threads that a Thread block added and none removed",
    .message = "thread index {0} is not live here",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kDuplicateThreadIndex{
    .id = "nettrace/duplicate-thread-index",
    .severity = Severity::error,
    .statement = "a Thread block adds an index that is not live",
    .message = "thread index {0} is live already",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kSequenceRegression{
    .id = "nettrace/sequence-regression",
    .severity = Severity::error,
    .statement = "the number of an event follows that of the event before on its capture thread",
    .message = "number {0} after {1} on thread {2}",
    .why = "TraceEvent counts 2147483647 lost events",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .severity_override =
        SeverityOverride{.severity = Severity::warning,
                         .when = "the version is 4 or 5",
                         .message = {},
                         .why =
                             "TraceEvent counts 2147483647 lost events; the runtime writes this when the system gives "
                             "the id to another thread, whose first events were dropped"},
};

constexpr Rule kEventsDropped{
    .id = "nettrace/events-dropped",
    .severity = Severity::note,
    .statement = "the numbers of the events of a thread have no gap",
    .message = "{0 event|events} of thread {1} were dropped: number {2} is followed by {3}",
    .why = "the buffers were full, or an event was too large: analyses of this thread miss these events",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kThreadIdReused{
    .id = "nettrace/thread-id-reused",
    .severity = Severity::note,
    .statement = "a thread id belongs to one thread",
    .message = "thread {0} starts again at number 1, after {1}",
    .why =
        "the system gave the id to another thread; TraceEvent counts 2147483647 lost events, and readers join the two "
        "threads",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kSortedTimeRegression{
    .id = "nettrace/sorted-time-regression",
    .severity = Severity::warning,
    .statement = "no event is earlier than a sorted one before it",
    .message = "the event is at {0}, after a sorted one at {1}",
    .why = "readers deliver it out of order",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kThreadTimeRegression{
    .id = "nettrace/thread-time-regression",
    .severity = Severity::warning,
    .statement = "the events of a capture thread are in the order of their times",
    .message = "thread {2} goes back to {0} from {1}",
    .why = "readers merge the events of threads and deliver these out of order",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kEventBeforeSequencePoint{
    .id = "nettrace/event-before-sequence-point",
    .severity = Severity::warning,
    .statement = "no event is earlier than a sequence point before it",
    .message = "the event is at {0}, after the sequence point at {1}",
    .why = "readers have delivered all events up to the sequence point, and deliver this one out of order",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kEventOutsideBlockRange{
    .id = "nettrace/event-outside-block-range",
    .severity = Severity::warning,
    .statement = "the times of events are in the range that the header of their block has",
    .message = "the event is at {0}, outside of {1} to {2}",
    .why = "readers that skip blocks by their range miss it; none does so far",
    .spec = "3.4 Event and metadata blocks; 4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kEventBeforeSync{
    .id = "nettrace/event-before-sync",
    .severity = Severity::note,
    .statement = "no event is earlier than the start of the trace",
    .message = "the event is {0 tick|ticks} before the start of the trace",
    .why = "readers show a negative time",
    .spec = "3.3 Trace; 4.4 Events",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSequencePointOrder{
    .id = "nettrace/sequence-point-order",
    .severity = Severity::warning,
    .statement = "sequence points are in the order of their times",
    .message = "a sequence point at {0}, after one at {1}",
    .why = "readers sort events between two sequence points only",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kSequencePointBeforeEvents{
    .id = "nettrace/sequence-point-before-events",
    .severity = Severity::warning,
    .statement = "a sequence point is not earlier than the events before it",
    .message = "a sequence point at {0}, and an event before it is at {1}",
    .why = "readers deliver the later events too early",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kSequencePointDuplicateThread{
    .id = "nettrace/sequence-point-duplicate-thread",
    .severity = Severity::note,
    .statement = "a sequence point names a thread once",
    .message = "the sequence point names thread {0} a second time",
    .why = "two threads had this id, and readers cannot tell them apart",
    .spec = "3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "the version is 6",
                                          .message = {},
                                          .why = "readers keep one of the two numbers and count lost events by it"},
};

constexpr Rule kSequencePointDrops{
    .id = "nettrace/sequence-point-drops",
    .severity = Severity::note,
    .statement = "the number of a thread in a sequence point is that of its last event",
    .message = "{0 event|events} of thread {1} were dropped before this point: {2}, and the last event has {3}",
    .why = "the buffers were full: analyses of this thread miss these events",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kSequencePointBehind{
    .id = "nettrace/sequence-point-behind",
    .severity = Severity::warning,
    .statement = "the number of a thread in a sequence point is not below that of its last event",
    .message = "thread {0} has number {1} here, and its events reached {2}",
    .why = "TraceEvent counts 2147483647 lost events",
    .spec = "4.4 Events",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::error,
                                          .when = "the version is 6",
                                          .message = {},
                                          .why = "TraceEvent counts 2147483647 lost events; no index is reused here"},
};

constexpr Rule kSequencePointOfReusedThread{
    .id = "nettrace/sequence-point-of-reused-thread",
    .severity = Severity::note,
    .statement = "the number in a sequence point belongs to the thread whose events came last",
    .message = "thread {0} has number {1} here, and its events reached {2}; two threads had this id",
    .why = "TraceEvent counts 2147483647 lost events",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr uint32_t kBackward = 0x80000000;  // steps from here on go back

}  // namespace

Threads::Thread* Threads::find(uint64_t thread) {
    Thread* const found = find_any(thread);
    return found == nullptr || found->is_missed != 0 ? nullptr : found;
}

Threads::Thread* Threads::find_or_add(uint64_t thread, uint64_t offset) {
    if (Thread* const known = find_any(thread)) return known;
    if (tracking_.has_ended(Tracked::threads)) return nullptr;
    Thread* const added = remember(thread, threads_.find_or_insert({.key = thread, .is_there = 1}));
    if (added == nullptr) {
        tracking_.end(Tracked::threads, offset);
        losses_.threads = losses_.first_numbers = true;
    }
    return added;
}

void Threads::add(uint64_t index, uint64_t offset) {
    Thread* const thread = find_or_add(index, offset);
    if (thread == nullptr) return;
    *thread = {.key = index, .is_there = 1};
    if (!losses_.first_numbers) thread->number_epoch = number_epoch_ & kEpochs;
}

void Threads::remove(uint64_t index) {
    Thread* const thread = find_any(index);
    if (thread != nullptr) threads_.erase(thread);
    has_last_ = false;
}

void Threads::forget_all() {
    threads_.clear();
    has_last_ = false;
    if (tracking_.has_ended(Tracked::threads)) return;
    losses_.threads = false;
    if (!findings_.is_in_doubt()) losses_.first_numbers = false;
}

bool Threads::check_live(uint64_t index, const Place& place, bool is_once) {
    Thread* const known = find_any(index);
    if (known != nullptr && known->is_missed == 0) [[likely]]
        return true;
    if (losses_.threads || (known != nullptr && is_once)) return true;
    if (!findings_.add<kUnknownThreadIndex>(place, {index})) return true;
    if (Thread* const missed = find_or_add(index, place.offset)) missed->is_missed = 1;
    return false;
}

void Threads::check_duplicate(uint64_t index, const Place& place) {
    if (!losses_.threads && find(index) != nullptr) findings_.add<kDuplicateThreadIndex>(place, {index});
}

void Threads::check_event_threads(uint64_t capture_thread, uint64_t thread, const EventPlaces& places) {
    if (find(capture_thread) == nullptr && !check_live(capture_thread, places.place_of(Part::capture_thread), true))
        return;
    if (thread != capture_thread && find(thread) == nullptr) check_live(thread, places.place_of(Part::thread), true);
}

void Threads::check_number(uint64_t capture_thread, uint32_t number, const EventPlaces& places) {
    Thread* const thread = find(capture_thread);
    const bool is_known = thread != nullptr && knows_number(*thread);
    if (!is_known && (losses_.first_numbers || is_plain_)) return;
    const uint32_t last = is_known ? thread->number : 0, step = number - last;
    if (step == 1) [[likely]]
        return;
    const Place place = places.place_of(Part::number);
    if (!is_known || (step != 0 && step < kBackward)) {
        findings_.add<kEventsDropped>(place, {step - 1, capture_thread, last, number});
        return;
    }
    if (is_plain_) {
        findings_.add<kSequenceRegression>(place, {number, last, capture_thread});
        return;
    }
    const bool is_new = number == 1;
    const bool is_told = is_new ? findings_.add<kThreadIdReused>(place, {capture_thread, last})
                                : findings_.add_overridden<kSequenceRegression>(place, {number, last, capture_thread});
    if (thread != nullptr && (is_told || !findings_.is_in_doubt())) thread->is_reused = 1;
}

void Threads::check_time(uint64_t capture_thread, const EventTime& event, const BlockTimes& block,
                         const EventPlaces& places) {
    const uint64_t time = event.time;
    const Thread* const thread = find(capture_thread);
    const auto at = [&] { return places.place_of(Part::time); };
    if (time < greatest_sorted_)
        findings_.add_time<kSortedTimeRegression>(at(), {time, greatest_sorted_});
    else if (thread != nullptr && knows_time(*thread) && time < thread->time)
        findings_.add_time<kThreadTimeRegression>(at(), {time, thread->time, capture_thread});
    else if (time < last_point_)
        findings_.add_time<kEventBeforeSequencePoint>(at(), {time, last_point_});
    else if (time < block.smallest || time > block.largest)
        findings_.add_time<kEventOutsideBlockRange>(at(), {time, block.smallest, block.largest});
    else if (time < sync_ && !has_early_event_ && !findings_.has_time_finding())
        has_early_event_ = findings_.add<kEventBeforeSync>(at(), {sync_ - time});
}

void Threads::check_row_time(uint64_t time, const BlockTimes& block, const EventPlaces& places) {
    if (time < block.smallest || time > block.largest)
        findings_.add_time<kEventOutsideBlockRange>(places.place_of(Part::time), {time, block.smallest, block.largest});
}

void Threads::check_old_time(uint64_t time, const Place& place) {
    if (time < greatest_)
        findings_.add_time<kSortedTimeRegression>(place, {time, greatest_});
    else if (time < sync_ && !has_early_event_ && !findings_.has_time_finding())
        has_early_event_ = findings_.add<kEventBeforeSync>(place, {sync_ - time});
}

void Threads::pass(uint64_t capture_thread, uint32_t number, const EventTime& event, uint64_t offset) {
    note_greatest(event.time);
    if (event.is_sorted) greatest_sorted_ = std::max(greatest_sorted_, event.time);
    Thread* const thread = is_plain_ ? find(capture_thread) : find_or_add(capture_thread, offset);
    if (thread == nullptr) return;
    thread->number = number;
    thread->number_epoch = number_epoch_ & kEpochs;
    thread->time = event.time;
    thread->time_epoch = time_epoch_ & kEpochs;
}

void Threads::check_point_time(uint64_t time, const Place& place) {
    if (time < last_point_)
        findings_.add_time<kSequencePointOrder>(place, {time, last_point_});
    else if (time < greatest_)
        findings_.add_time<kSequencePointBeforeEvents>(place, {time, greatest_});
}

void Threads::check_point_thread(uint64_t id, const Place& place) {
    Thread* const thread = find(id);
    if (thread == nullptr || thread->point != point_) return;
    if (is_plain_)
        findings_.add_overridden<kSequencePointDuplicateThread>(place, {id});
    else if (findings_.add<kSequencePointDuplicateThread>(place, {id}))
        thread->is_reused = 1;
}

void Threads::check_point_number(uint64_t id, uint32_t number, const Place& place) {
    Thread* const thread = find(id);
    const bool is_known = thread != nullptr && knows_number(*thread);
    if (!is_known && (losses_.first_numbers || is_plain_)) return;
    const uint32_t last = is_known ? thread->number : 0, step = number - last;
    if (step == 0) return;
    if (step < kBackward || !is_known)
        findings_.add<kSequencePointDrops>(place, {step, id, number, last});
    else if (is_plain_)
        findings_.add_overridden<kSequencePointBehind>(place, {id, number, last});
    else if (thread->is_reused != 0)
        findings_.add<kSequencePointOfReusedThread>(place, {id, number, last});
    else
        findings_.add<kSequencePointBehind>(place, {id, number, last});
}

void Threads::pass_point_number(uint64_t id, uint32_t number, uint64_t offset) {
    if (findings_.is_in_doubt()) return;
    Thread* const thread = is_plain_ ? find(id) : find_or_add(id, offset);
    if (thread == nullptr) return;
    thread->number = number;
    thread->number_epoch = number_epoch_ & kEpochs;
    thread->point = point_;
}

void Threads::lose_order() {
    losses_.first_numbers = true;
    ++number_epoch_;
    lose_times();
}

void Threads::lose_times() {
    ++time_epoch_;
    greatest_sorted_ = greatest_ = last_point_ = 0;
}

constinit const RuleList kThreadRules =
    rules<&kUnknownThreadIndex, &kDuplicateThreadIndex, &kSequenceRegression, &kEventsDropped, &kThreadIdReused,
          &kSortedTimeRegression, &kThreadTimeRegression, &kEventBeforeSequencePoint, &kEventOutsideBlockRange,
          &kEventBeforeSync, &kSequencePointOrder, &kSequencePointBeforeEvents, &kSequencePointDuplicateThread,
          &kSequencePointDrops, &kSequencePointBehind, &kSequencePointOfReusedThread>;

}  // namespace tracelint::nettrace
