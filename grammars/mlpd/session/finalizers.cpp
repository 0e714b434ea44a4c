// mlpd, sections 4.3 and 5, rule 92.
#include "grammars/mlpd/session/finalizers.hpp"

namespace tracelint::mlpd {

void Finalizers::step(QueueEvent what, const Spot& event) {
    const auto& edge = kQueueMachine.at(queue_, what);
    queue_ = edge.to;
    if (edge.rule != nullptr) file_.findings.add_overridden(*edge.rule, event.place(), {0, thread_id_});
    if (what != QueueEvent::start) return;
    start_ = event;
    start_is_said_ = edge.rule != nullptr;
}

void Finalizers::start(const Spot& event) { step(QueueEvent::start, event); }
void Finalizers::end(const Spot& event) { step(QueueEvent::end, event); }

void Finalizers::start_object(uint64_t object, const Spot& event) {
    if (!file_.tracks(Tracking::finalizers)) return;
    if (open_.size() == allowed_) {
        const uint64_t more = allowed_ + 4;
        if (!file_.context.budget.take(more * sizeof(Open))) return file_.stop(Tracking::finalizers, event.place());
        allowed_ += more;
        open_.reserve(allowed_);
    }
    open_.push_back({object, ShortSpot(event)});
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
    file_.findings.add(kFinalizerOrder, event.place(), {object, thread_id_});
    give_up(object);
}

// What is open lies around the fault: its ends tell nothing new.
void Finalizers::give_up(uint64_t ended) {
    const bool was_open = std::ranges::any_of(open_, [=](const Open& open) { return open.object == ended; });
    given_up_ += open_.size() - was_open;
    clear();
}

void Finalizers::clear() {
    file_.context.budget.give_back(allowed_ * sizeof(Open));
    allowed_ = 0;
    open_ = std::vector<Open>();
}

void Finalizers::taint() {
    queue_ = kQueueMachine.at(queue_, QueueEvent::taint).to;
    may_lack_start_ = true;
    clear();
}

void Finalizers::finish() {
    if (!open_.empty() && file_.tracks(Tracking::finalizers)) note_end(open_.back().start.of(object_start_));
    if (kQueueMachine.at(queue_, QueueEvent::end_of_file).rule != nullptr && !start_is_said_) note_end(start_);
}

void Finalizers::note_end(const Spot& start) {
    Diagnostic finding{.rule = &kFinalizerOrder, .place = start.place()};
    finding.numbers = {0, thread_id_};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

}  // namespace tracelint::mlpd
