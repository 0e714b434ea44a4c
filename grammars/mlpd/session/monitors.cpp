// mlpd, section 4.3.4: the monitors that one thread waits for.
#include "grammars/mlpd/session/monitors.hpp"

namespace tracelint::mlpd {

namespace {

constexpr uint64_t kContention = 1, kFail = 3;  // done lies between them

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

constinit const RuleList kMonitorRules = rules<&kMonitorOrder>;

}  // namespace tracelint::mlpd
