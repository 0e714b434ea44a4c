// mlpd, rule 22.
#include "grammars/mlpd/session/thread_times.hpp"

namespace tracelint::mlpd {

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

}  // namespace tracelint::mlpd
