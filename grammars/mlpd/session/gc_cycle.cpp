// mlpd, section 4.3.3: the garbage collections that one thread reports.
#include "grammars/mlpd/session/gc_cycle.hpp"

namespace tracelint::mlpd {

namespace {

// The step that a code stands for; none where the version has no such code (section 3.8).
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

// Takes one step and returns the rule that it violates, or null.
const Rule* GcCycle::advance(GcStep what) {
    const Rule* rule = step(file_.version >= gc::kFirstWithLocks ? kGcTracker13 : kGcTracker12, state_, what);
    if (state_ != GcState::stopped) open_starts_ = 0;
    return rule;
}

constexpr Rule kGcGenerationMismatch{
    .id = "mlpd/gc-generation-mismatch",
    .severity = Severity::note,
    .statement = "the events of a collection carry the generation of its PRE_STOP_WORLD",
    .message = "the event has generation {0}, but the collection of thread {2x} began with generation {1}",
    .why = "readers charge part of the pause to another generation",
    .spec = "4.3.3 Collections",
    .since = "0.1.0",
};

void GcCycle::take(uint64_t code, uint64_t generation, const GenerationsSeen& seen, const Place& generation_place,
                   const Spot& event) {
    const std::optional<GcStep> what = step_of(code, file_.version, open_starts_, seen.only_zero);
    if (!what) return;
    const bool are_generations = gc::is_generation(generation) && gc::is_generation(generation_);
    if (is_open() && code > gc::pre_stop_world && generation != generation_ && are_generations)
        file_.findings.add<kGcGenerationMismatch>(generation_place, {generation, generation_, thread_id_});
    const Rule* rule = advance(*what);
    if (rule != nullptr) file_.findings.add(*rule, event.place(), {code, generation, thread_id_});
    if (state_ == GcState::stopped && code == gc::start) ++open_starts_;
    if (state_ == GcState::stopped && code == gc::end) --open_starts_;
    if (code != gc::pre_stop_world) return;
    begin_ = event;
    begin_is_reported_ = rule != nullptr;
    generation_ = generation;
}

void GcCycle::taint() { advance(GcStep::taint); }

void GcCycle::finish() {
    const Rule* rule = advance(begin_is_reported_ ? GcStep::end_of_file_reported : GcStep::end_of_file);
    if (rule == nullptr) return;
    Diagnostic finding{.rule = rule, .place = begin_.place(), .numbers = {gc::pre_stop_world, generation_, thread_id_}};
    finding.is_overridden = finding.about_end = true;
    file_.findings.add(finding);
}

constinit const RuleList kGcCycleRules = rules<&kGcEventOrder, &kGcGenerationMismatch>;

}  // namespace tracelint::mlpd
