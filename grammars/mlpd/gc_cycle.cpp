// mlpd, sections 4.3 and 5, rules 87 and 88.
#include "grammars/mlpd/gc_cycle.hpp"

namespace tracelint::mlpd {

namespace {

constexpr uint64_t kPreStopWorld = 6;
constexpr uint16_t kFirstWithLocks = 13;

// What the code is to the machine; nothing where the version has no such code (3.8).
std::optional<GcStep> step_of(uint64_t code, uint16_t version, uint64_t open_starts, bool only_zero) {
    switch (code) {
        case 0: return only_zero ? GcStep::start_outside : GcStep::start;
        case 1:
        case 2:
        case 3:
        case 4:
            if (version > 13) return {};
            return open_starts > 0 ? GcStep::mark : GcStep::mark_alone;
        case 5: return open_starts > 0 ? GcStep::end : only_zero ? GcStep::end_outside : GcStep::end_alone;
        case kPreStopWorld: return GcStep::pre_stop;
        case 7: return GcStep::post_stop;
        case 8: return open_starts > 0 ? GcStep::pre_start_early : GcStep::pre_start;
        case 9: return GcStep::post_start;
        case 10:
            if (version < kFirstWithLocks) return {};
            return GcStep::pre_stop_locked;
        case 11:
            if (version < kFirstWithLocks) return {};
            return GcStep::post_start_unlocked;
        default: return {};
    }
}

}  // namespace

void GcCycle::take(uint64_t code, uint64_t generation, GenerationsSeen& seen, const Place& generation_place,
                   const Spot& event) {
    seen.only_zero = seen.only_zero && generation == 0;
    const std::optional<GcStep> step = step_of(code, file_.version, open_starts_, seen.only_zero);
    if (!step) return;
    if (is_open() && code > kPreStopWorld && generation != generation_)
        file_.findings.add(kGcGenerationMismatch, generation_place, {generation, generation_, thread_id_});
    const auto& machine = file_.version >= kFirstWithLocks ? kGcMachine13 : kGcMachine12;
    const auto& edge = machine.at(state_, *step);
    if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {code, generation, thread_id_});
    state_ = edge.to;
    if (state_ != GcState::stopped) open_starts_ = 0;
    if (state_ == GcState::stopped && code == 0) ++open_starts_;
    if (state_ == GcState::stopped && code == 5) --open_starts_;
    if (code != kPreStopWorld) return;
    begin_ = event;
    begin_is_said_ = edge.rule != nullptr;
    generation_ = generation;
}

void GcCycle::finish() {
    if (!is_open() || begin_is_said_) return;
    Diagnostic finding{.rule = &kGcEventOrder, .place = begin_.place()};
    finding.numbers = {kPreStopWorld, generation_, thread_id_};
    finding.milder = finding.about_end = true;
    file_.findings.add(finding);
}

}  // namespace tracelint::mlpd
