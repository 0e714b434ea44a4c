// mlpd, rule 22.
#include "grammars/mlpd/thread_times.hpp"

namespace tracelint::mlpd {

void ThreadTimes::begin_buffer(uint64_t thread_id, uint64_t time_base, const Place& place) {
    thread_id_ = thread_id;
    excused_ = goes_back_ = false;
    Entry* before = threads_.find(thread_id);
    if (before == nullptr) {
        if (!threads_.insert({.key = thread_id, .time_base = time_base})) file_.stop(Tracking::threads, place);
        return;
    }
    goes_back_ = time_base < before->time_base;
    if (goes_back_) {
        finding_ = {.rule = &kBufferTimeRegression, .place = place, .numbers = {time_base, before->time_base}};
        finding_.milder = before->was_excused;
        thread_event_before_ = before->thread_event;
    }
    before->time_base = time_base;
    before->thread_event = false;
}

void ThreadTimes::thread_event(uint64_t thread_id) {
    if (Entry* thread = threads_.find(thread_id)) thread->thread_event = true;
}

void ThreadTimes::end_buffer() {
    Entry* thread = threads_.find(thread_id_);
    if (thread == nullptr) return;
    thread->was_excused = excused_;
    if (!goes_back_) return;
    finding_.milder = finding_.milder || excused_ || thread_event_before_ || thread->thread_event;
    file_.inspection.report.add(finding_);
}

}  // namespace tracelint::mlpd
