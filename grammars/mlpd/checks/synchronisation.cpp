// mlpd: events in an order: monitors, sync points and finalizers.
#include "grammars/mlpd/checks/synchronisation.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.4: the monitors that one thread waits for.

namespace {

constexpr uint64_t kContention = 1, kFail = 3;  // done is between them

}  // namespace

void Monitors::take(uint64_t kind, uint64_t object, const Spot& event) {
    if (kind < kContention || kind > kFail) return;
    const MonitorEvent what = kind == kContention ? MonitorEvent::contention
                              : object == object_ ? MonitorEvent::release_of_same
                                                  : MonitorEvent::release_of_other;
    const Rule* rule = step(kMonitorTracker, state_, what);
    if (rule != nullptr) file_.findings.add(*rule, event.place(), {kind, object, thread_id_});
    if (kind != kContention) return;
    object_ = object;
    wait_ = event;
    wait_is_reported_ = rule != nullptr;
}

void Monitors::finish() {
    const MonitorEvent end = wait_is_reported_ ? MonitorEvent::end_of_file_reported : MonitorEvent::end_of_file;
    const Rule* rule = step(kMonitorTracker, state_, end);
    if (rule == nullptr) return;
    Diagnostic finding{.rule = rule, .place = wait_.place(), .numbers = {kContention, object_, thread_id_}};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

// mlpd, section 4.3.10: synchronisation points, which close the windows of the file.

constexpr Rule kEventBeforeSyncPoint{
    .id = "mlpd/event-before-sync-point",
    .severity = Severity::note,
    .statement = "an event that happened before a synchronisation point precedes it in the file",
    .message = "the time of the event is {0}, before the {1} of a synchronisation point earlier in the file",
    .why = "readers sort the events between two synchronisation points by time; this one comes out of order",
    .spec = "4.3.10 Synchronisation points",
    .since = "0.1.0",
};

void SyncPoints::early(uint64_t time, const Spot& event) {
    floor_ = 0;
    is_reported_ = true;
    file_.findings.add<kEventBeforeSyncPoint>(event.place(), {time, highest_});
}

// mlpd, section 4.3.5: the finalizations of objects on one thread, and its finalizer queue.

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

constinit const RuleList kSynchronisationRules =
    rules<&kMonitorOrder, &kSyncPointOrder, &kEventBeforeSyncPoint, &kFinalizerOrder>;

}  // namespace tracelint::mlpd
