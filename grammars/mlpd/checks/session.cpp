// mlpd, section 4.3: which machine an event belongs to.
#include "grammars/mlpd/checks/session.hpp"

namespace tracelint::mlpd {

Session::Session(ValidationContext& context, Findings& findings, uint16_t version)
    : file_(context, findings, version),
      methods_(file_),
      loads_(file_),
      counters_(file_),
      covered_(file_),
      handles_(file_),
      roots_(file_),
      sync_points_(file_),
      threads_(file_) {}

void Session::begin_buffer(uint64_t thread_id, const Spot& buffer) {
    if (!first_thread_) first_thread_ = thread_id;
    buffer_thread_id_ = thread_id;
    thread_ = threads_.of_buffer(thread_id, buffer);
    calls_ = thread_ == nullptr ? &no_calls_ : &thread_->calls;
    sync_points_.begin_buffer();
}

void Session::take_waiting() {
    methods_.take_all();
    loads_.take_all();
    handles_.take_all();
    roots_.take_all();
    counters_.take_all();
}

void Session::end_buffer() {
    take_waiting();
    if (thread_ != nullptr && thread_->machines != nullptr) thread_->machines->heapshot.end_buffer();
}

void Session::taint() {
    file_.lossy = true;
    if (thread_ != nullptr) thread_->taint(threads_.open_calls());
}

void Session::taint_all() {
    file_.lossy = true;
    threads_.taint_all();
}

constexpr Rule kCallStackOpenAtEnd{
    .id = "mlpd/call-stack-open-at-end",
    .severity = Severity::note,
    .statement = "a thread leaves the methods that it enters",
    .message = "{0 method is|methods are} still open on thread {1x} at the end of the file; {2x} was entered last",
    .why = "usual where the process ended or was killed inside them; mprof-report counts them as leftovers",
    .spec = "4.3.1 Calls",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

void Session::finish() {
    take_waiting();
    if (file_.lossy) return;
    methods_.finish();
    loads_.finish();
    counters_.finish();
    covered_.finish();
    threads_.for_each([&](Thread& thread) {
        if (thread.calls.open() > 0 && file_.tracks(Tracking::stacks)) {
            const OpenCall& top = thread.calls.top();
            file_.findings.add<kCallStackOpenAtEnd>(top.enter.of(&kEnter).place(),
                                                    {thread.calls.open(), thread.key, top.key});
        }
        if (thread.machines != nullptr) thread.machines->finish(!first_thread_ended_);
    });
}

// step_enter() has noted the use of the method already.
void Session::enter(uint64_t method, const Spot& event) {
    if (thread_ == nullptr || !file_.tracks(Tracking::stacks)) return;
    if (!thread_->calls.push(threads_.open_calls(), method, ShortSpot(event)))
        file_.stop(Tracking::stacks, event.place());
}

constexpr Rule kLeaveWithoutEnter{
    .id = "mlpd/leave-without-enter",
    .severity = Severity::warning,
    .statement = "a thread leaves a method only while it has one open",
    .message = "thread {1x} leaves method {0x}, but has no open call",
    .why = "mprof-report ignores the event: the call and its time are missing from the profile",
    .spec = "4.3.1 Calls",
    .since = "0.1.0",
};

constexpr Rule kLeaveMismatch{
    .id = "mlpd/leave-mismatch",
    .severity = Severity::warning,
    .statement = "a thread leaves the method that it entered last",
    .message = "thread {2x} leaves method {0x}, but {1x} is its innermost open call",
    .why = "reports charge the time to the wrong callers",
    .spec = "4.3.1 Calls",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "an exception leaves the method", {}, "the calls in between are also left"},
};

void Session::leave(uint64_t method, bool by_exception, const Spot& event) {
    methods_.use(method, event.place());
    if (thread_ == nullptr || !file_.tracks(Tracking::stacks)) return;
    CallStack& calls = thread_->calls;
    if (calls.open() == 0) {
        if (!thread_->may_lack_enter) file_.findings.add<kLeaveWithoutEnter>(event.place(), {method, thread_->key});
        return;
    }
    const OpenCall top = calls.top();
    const CallExit exit = calls.leave(threads_.open_calls(), method);
    searches_calls_ = exit != CallExit::of_top;
    if (exit == CallExit::of_top) return;
    if (exit == CallExit::no_memory) return file_.stop(Tracking::stacks, event.place());
    Diagnostic finding{.rule = &kLeaveMismatch, .place = event.place()};
    finding.numbers = {method, top.key, thread_->key};
    finding.related_offset = top.enter.offset();
    finding.related_length = top.enter.length();
    finding.is_overridden = by_exception;
    file_.findings.add(finding);
}

constexpr Rule kThreadEventWrongThread{
    .id = "mlpd/thread-event-wrong-thread",
    .severity = Severity::note,
    .statement = "a thread reports its own start and end",
    .message = "the event is about thread {0x}, but the buffer belongs to thread {1x}",
    .why = "readers that use the thread of the buffer mark the wrong thread as ended",
    .spec = "3.7 TYPE_METADATA (2)",
    .since = "0.1.0",
};

void Session::metadata(const Metadata& metadata, const Spot& event) {
    loads_.note(metadata, event);
    if (metadata.kind != Kind::thread || (!metadata.loads() && !metadata.unloads())) return;
    if (metadata.pointer != buffer_thread_id_)
        file_.findings.add<kThreadEventWrongThread>(event.place(), {metadata.pointer, buffer_thread_id_});
    if (!metadata.unloads()) return;
    if (metadata.pointer == first_thread_) first_thread_ended_ = true;
    if (Thread* ended = threads_.find(metadata.pointer)) ended->calls.clear(threads_.open_calls());
}

// The machines of the buffer's thread.
ThreadMachines* Session::machines(const Spot& event) {
    return thread_ == nullptr ? nullptr : threads_.machines_of(*thread_, event);
}

void Session::heap_start(const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->heapshot.start(event);
}

void Session::heap_end(const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->heapshot.end(event);
}

void Session::heap_object(uint64_t object, uint64_t type, uint64_t size, const Spot& event) {
    loads_.use_type(type, event);
    if (ThreadMachines* of_thread = machines(event)) of_thread->heapshot.object(object, size, event);
}

void Session::heap_reference(uint64_t object, const Place& place) {
    if (thread_ != nullptr && thread_->machines != nullptr) thread_->machines->heapshot.reference(object, place);
}

void Session::heap_root(uint64_t object, const Place& place) {
    if (thread_ != nullptr && thread_->machines != nullptr) thread_->machines->heapshot.root(object, place);
}

void Session::gc_event(uint64_t code, uint64_t generation, const Place& generation_place, const Spot& event) {
    generations_.note(generation);
    if (ThreadMachines* of_thread = machines(event))
        of_thread->gc_cycle.take(code, generation, generations_, generation_place, event);
}

void Session::finalize_start(const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->finalizers.start(event);
}

void Session::finalize_end(const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->finalizers.end(event);
}

void Session::finalize_object_start(uint64_t object, const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->finalizers.start_object(object, event);
}

void Session::finalize_object_end(uint64_t object, const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->finalizers.end_object(object, event);
}

void Session::monitor(uint64_t kind, uint64_t object, const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->monitors.take(kind, object, event);
}

void Session::sync_point(uint64_t type, uint64_t time, const Spot& event) {
    if (ThreadMachines* of_thread = machines(event)) of_thread->world.take(type, event);
    loads_.take_all();
    sync_points_.take(time);
}

constinit const RuleList kSessionRules =
    rules<&kCallStackOpenAtEnd, &kLeaveWithoutEnter, &kLeaveMismatch, &kThreadEventWrongThread>;

}  // namespace tracelint::mlpd
