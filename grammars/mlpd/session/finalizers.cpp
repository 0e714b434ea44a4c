// mlpd, section 4.3.5: the finalizations of objects on one thread, and its finalizer queue.
#include "grammars/mlpd/session/finalizers.hpp"

namespace tracelint::mlpd {

const Rule* Finalizers::advance(QueueEvent what, const Spot& event) {
    const Rule* rule = step(kQueueTracker, queue_, what);
    if (rule != nullptr) file_.findings.add_overridden(*rule, event.place(), {0, thread_id_});
    return rule;
}

void Finalizers::start(const Spot& event) {
    start_is_reported_ = advance(QueueEvent::start, event) != nullptr;
    start_ = event;
}

void Finalizers::end(const Spot& event) { advance(QueueEvent::end, event); }

void Finalizers::start_object(uint64_t object, const Spot& event) {
    if (!file_.tracks(Tracking::finalizers)) return;
    if (!open_.push_back({object, ShortSpot(event)})) return file_.stop(Tracking::finalizers, event.place());
    object_start_ = event.record;
}

void Finalizers::end_object(uint64_t object, const Spot& event) {
    if (!file_.tracks(Tracking::finalizers)) return;
    if (!open_.empty() && open_.back().object == object) return open_.pop_back();
    if (open_.empty() && may_lack_start_) return;
    if (open_.empty() && given_up_ > 0) {
        --given_up_;
        return;
    }
    file_.findings.add<kFinalizerOrder>(event.place(), {object, thread_id_});
    give_up(object);
}

// The open objects enclose the fault: their ends would only report it again.
void Finalizers::give_up(uint64_t ended) {
    const bool was_open = std::ranges::any_of(open_, [=](const Open& open) { return open.object == ended; });
    given_up_ += open_.size() - was_open;
    open_.release();
}

void Finalizers::taint() {
    step(kQueueTracker, queue_, QueueEvent::taint);
    may_lack_start_ = true;
    open_.release();
}

void Finalizers::finish() {
    if (!open_.empty() && file_.tracks(Tracking::finalizers)) report_open_at_end(open_.back().start.of(object_start_));
    const QueueEvent end = start_is_reported_ ? QueueEvent::end_of_file_reported : QueueEvent::end_of_file;
    if (step(kQueueTracker, queue_, end) != nullptr) report_open_at_end(start_);
}

void Finalizers::report_open_at_end(const Spot& start) {
    Diagnostic finding{.rule = &kFinalizerOrder, .place = start.place(), .numbers = {0, thread_id_}};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

constinit const RuleList kFinalizerRules = rules<&kFinalizerOrder>;

}  // namespace tracelint::mlpd
