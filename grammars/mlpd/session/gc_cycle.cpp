// mlpd, sections 4.3 and 5, rules 87 and 88.
#include "grammars/mlpd/session/gc_cycle.hpp"

namespace tracelint::mlpd {

namespace {

// What the code is to the machine; nothing where the version has no such code (3.8).
std::optional<GcStep> step_of(uint64_t code, uint16_t version, uint64_t open_starts, bool only_zero) {
    switch (code) {
        case gc::start: return only_zero ? GcStep::start_outside : GcStep::start;
        case gc::mark_start:
        case gc::mark_end:
        case gc::reclaim_start:
        case gc::reclaim_end:
            if (version > gc::kLastWithMarks) return {};
            return open_starts > 0 ? GcStep::mark : GcStep::mark_alone;
        case gc::end: return open_starts > 0 ? GcStep::end : only_zero ? GcStep::end_outside : GcStep::end_alone;
        case gc::pre_stop_world: return GcStep::pre_stop;
        case gc::post_stop_world: return GcStep::post_stop;
        case gc::pre_start_world: return open_starts > 0 ? GcStep::pre_start_early : GcStep::pre_start;
        case gc::post_start_world: return GcStep::post_start;
        case gc::pre_stop_world_locked:
            if (version < gc::kFirstWithLocks) return {};
            return GcStep::pre_stop_locked;
        case gc::post_start_world_unlocked:
            if (version < gc::kFirstWithLocks) return {};
            return GcStep::post_start_unlocked;
        default: return {};
    }
}

}  // namespace

const Machine<GcState, GcStep>& GcCycle::machine() const {
    return file_.version >= gc::kFirstWithLocks ? kGcMachine13 : kGcMachine12;
}

void GcCycle::take(uint64_t code, uint64_t generation, const GenerationsSeen& seen, const Place& generation_place,
                   const Spot& event) {
    const std::optional<GcStep> step = step_of(code, file_.version, open_starts_, seen.only_zero);
    if (!step) return;
    const bool are_generations = gc::is_generation(generation) && gc::is_generation(generation_);
    if (is_open() && code > gc::pre_stop_world && generation != generation_ && are_generations)
        file_.findings.add(kGcGenerationMismatch, generation_place, {generation, generation_, thread_id_});
    const auto& edge = machine().at(state_, *step);
    if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {code, generation, thread_id_});
    enter(edge.to);
    if (state_ == GcState::stopped && code == gc::start) ++open_starts_;
    if (state_ == GcState::stopped && code == gc::end) --open_starts_;
    if (code != gc::pre_stop_world) return;
    begin_ = event;
    begin_is_said_ = edge.rule != nullptr;
    generation_ = generation;
}

void GcCycle::enter(GcState state) {
    state_ = state;
    if (state_ != GcState::stopped) open_starts_ = 0;
}

void GcCycle::taint() { enter(machine().at(state_, GcStep::taint).to); }

void GcCycle::finish() {
    if (machine().at(state_, GcStep::end_of_file).rule == nullptr || begin_is_said_) return;
    Diagnostic finding{.rule = &kGcEventOrder, .place = begin_.place()};
    finding.numbers = {gc::pre_stop_world, generation_, thread_id_};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

}  // namespace tracelint::mlpd
