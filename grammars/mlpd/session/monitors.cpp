// mlpd, sections 4.3 and 5, rule 91.
#include "grammars/mlpd/session/monitors.hpp"

namespace tracelint::mlpd {

namespace {

constexpr uint64_t kContention = 1, kFail = 3;  // and done between them

}  // namespace

void Monitors::take(uint64_t kind, uint64_t object, const Spot& event) {
    if (kind < kContention || kind > kFail) return;
    const MonitorEvent what = kind == kContention ? MonitorEvent::contention
                              : object == object_ ? MonitorEvent::release_of_same
                                                  : MonitorEvent::release_of_other;
    const auto& edge = kMonitorMachine.at(state_, what);
    if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {kind, object, thread_id_});
    state_ = edge.to;
    if (kind != kContention) return;
    object_ = object;
    wait_ = event;
    wait_is_said_ = edge.rule != nullptr;
}

void Monitors::finish() {
    const auto& edge = kMonitorMachine.at(state_, MonitorEvent::end_of_file);
    if (edge.rule == nullptr || wait_is_said_) return;
    Diagnostic finding{.rule = edge.rule, .place = wait_.place()};
    finding.numbers = {kContention, object_, thread_id_};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

}  // namespace tracelint::mlpd
