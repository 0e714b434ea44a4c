// mlpd: threads, and the times of their buffers.
#include "grammars/mlpd/checks/threads.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3: the threads of a file.

Thread* Threads::of_buffer(uint64_t id, const Spot& buffer) {
    if (!file_.tracks(Tracking::threads)) return find(id);
    Thread* fresh = threads_.find_or_insert(id);
    if (fresh == nullptr) {
        file_.stop(Tracking::threads, buffer.place());
        return nullptr;
    }
    return up_to_date(fresh);
}

Thread* Threads::find(uint64_t id) {
    Thread* known = threads_.find(id);
    return known == nullptr ? nullptr : up_to_date(known);
}

ThreadMachines* Threads::machines_of(Thread& thread, const Spot& event) {
    if (thread.machines != nullptr || !file_.tracks(Tracking::threads)) return thread.machines.get();
    if (!file_.context.budget.take(allocation_cost(sizeof(ThreadMachines)))) {
        file_.stop(Tracking::threads, event.place());
        return nullptr;
    }
    thread.machines = std::make_unique<ThreadMachines>(file_, heap_notes_, thread.key);
    if (thread.may_lack_enter) thread.machines->taint();
    return thread.machines.get();
}

Thread* Threads::up_to_date(Thread* thread) {
    if (thread->taints == taints_) return thread;
    thread->taints = taints_;
    thread->taint(open_calls_);
    return thread;
}

// mlpd, section 3.3: the buffers of a thread come in the order of their time_base.

constexpr Rule kBufferTimeRegression{
    .id = "mlpd/buffer-time-regression",
    .severity = Severity::warning,
    .statement = "the buffers of a thread come in the order of their time_base",
    .message = "time_base is {0}, but the previous buffer of the same thread has {1}",
    .why = "readers take the events of a thread in file order, so calls and times come out of order",
    .spec = "3.3 Buffer header; 5.2 Buffers",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "one of the two buffers holds JIT events or is damaged, or the thread began or ended",
                         .message = {},
                         .why = "the profiler's own writer thread does this, and so does a reused thread id"},
};

void ThreadTimes::begin_buffer(Thread* thread, uint64_t time_base, const Place& place) {
    thread_ = thread;
    excused_ = goes_back_ = false;
    if (thread == nullptr) return;
    goes_back_ = time_base < thread->time_base;
    if (goes_back_) {
        finding_ = {.rule = &kBufferTimeRegression, .place = place, .numbers = {time_base, thread->time_base}};
        finding_.is_overridden = thread->was_excused;
        thread_event_before_ = thread->has_thread_event;
    }
    thread->time_base = time_base;
    thread->has_thread_event = false;
}

void ThreadTimes::thread_event(uint64_t thread_id) {
    if (Thread* thread = threads_.find(thread_id)) thread->has_thread_event = true;
}

void ThreadTimes::end_buffer() {
    if (thread_ == nullptr) return;
    thread_->was_excused = excused_;
    if (!goes_back_) return;
    finding_.is_overridden = finding_.is_overridden || excused_ || thread_event_before_ || thread_->has_thread_event;
    report_.add(finding_);
}

constinit const RuleList kThreadTimeRules = rules<&kBufferTimeRegression>;

}  // namespace tracelint::mlpd
