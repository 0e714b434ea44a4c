// mlpd: garbage collections and heapshots.
#include "grammars/mlpd/checks/heap.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.3: the garbage collections that one thread reports.

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

// mlpd, section 4.3.2: the heapshots of one thread.

bool Heapshot::advance(HeapshotEvent what, const Spot& event) {
    if (const Rule* rule = step(kHeapshotTracker, state_, what))
        file_.findings.add(*rule, event.place(), {thread_id_, start_.offset});
    return state_ == HeapshotState::in;
}

void Heapshot::start(const Spot& event) {
    take_noted();
    forget();
    const bool is_open = advance(HeapshotEvent::start, event);
    start_ = event;
    has_roots_ = false;
    if (!is_open || !file_.tracks(Tracking::heapshots)) return;
    if (!file_.context.budget.take(kObjectsCost)) return file_.stop(Tracking::heapshots, event.place());
    objects_ = std::make_unique<Objects>(file_.context.budget, file_.context.work);
}

void Heapshot::forget() {
    if (objects_ == nullptr) return;
    objects_ = nullptr;
    file_.context.budget.give_back(kObjectsCost);
}

void Heapshot::object(uint64_t id, uint64_t size, const Spot& event) {
    if (!advance(HeapshotEvent::object, event) || objects_ == nullptr) return;
    note(id, size, event.place());
    // A continuation may be an error, and framing faults after an error are reported as its consequence.
    if (size == 0) take_noted();
}

void Heapshot::reference(uint64_t id, const Place& place) {
    if (id != 0 && objects_ != nullptr) note(id, kNone, place);
}

void Heapshot::root(uint64_t id, const Place& place) {
    if (id == 0 || objects_ == nullptr) return;
    has_roots_ = true;
    note(id, HeapNotes::kRoot, place);
}

void Heapshot::note(uint64_t id, uint64_t size, const Place& place) {
    objects_->prefetch(id);
    const auto prefetch = [this](const HeapNotes::Note& noted)
                              __attribute__((always_inline)) { objects_->prefetch_entry(noted.object); };
    notes_.last.add({id, size, place}, prefetch, [this](const HeapNotes::Note& noted) { take(noted); });
}

void Heapshot::take_noted() {
    notes_.last.take_all([this](const HeapNotes::Note& note) { take(note); });
}

constexpr Rule kHeapObjectDuplicate{
    .id = "mlpd/heap-object-duplicate",
    .severity = Severity::warning,
    .statement = "a heapshot lists an object once; an event that continues its references has size 0",
    .message = "object {0x} is listed again in the same heapshot, with size {1}",
    .why = "readers count its bytes twice",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
};

constexpr Rule kHeapObjectContinuationUnknown{
    .id = "mlpd/heap-object-continuation-unknown",
    .severity = Severity::error,
    .statement = "an event of size 0 continues the references of an object that the heapshot has listed",
    .message = "object {0x} has size 0, but the heapshot has not listed it yet",
    .why = "mprof-report --traces crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
};

void Heapshot::take(const HeapNotes::Note& note) {
    if (objects_ == nullptr) return;
    Object* object = file_.tracks(Tracking::heapshots) ? objects_->find_or_insert(note.object) : nullptr;
    if (object == nullptr) {
        forget();
        return file_.stop(Tracking::heapshots, note.place);
    }
    if (note.size == kNone || note.size == HeapNotes::kRoot)
        lead_to(*object, note);
    else
        list(*object, note);
}

void Heapshot::lead_to(Object& object, const HeapNotes::Note& note) {
    object.is_led_to = true;
    if (note.size == kNone && !object.is_listed && !object.place.is_set())
        object.place = notes_.kinds.packed(note.place);
}

void Heapshot::list(Object& object, const HeapNotes::Note& note) {
    if (note.size == 0 && !object.is_listed)
        file_.findings.add<kHeapObjectContinuationUnknown>(note.place, {note.object});
    if (note.size != 0 && object.is_listed)
        file_.findings.add<kHeapObjectDuplicate>(note.place, {note.object, note.size});
    if (!object.is_listed && !object.is_led_to) {
        object.place = notes_.kinds.packed(note.place);
        object.place.element = static_cast<uint32_t>(note.place.length);  // which a spot may be too short for
    }
    object.is_listed = true;
}

constexpr Rule kHeapRefDangling{
    .id = "mlpd/heap-ref-dangling",
    .severity = Severity::warning,
    .statement = "references lead to objects of the same heapshot",
    .message = "the heapshot does not list the referenced object {0x}",
    .why = "mprof-report --traces crashes; no reader can tell what keeps the object alive",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Dangling references are reported here, where all objects of the heapshot are known.
void Heapshot::end(const Spot& event) {
    advance(HeapshotEvent::end, event);
    take_noted();
    if (objects_ == nullptr) return;
    file_.context.work.add(objects_->size());
    objects_->for_each([&](const Object& object) {
        if (!object.is_listed && object.place.is_set())
            file_.findings.add<kHeapRefDangling>(notes_.kinds.place(object.place), {object.key});
    });
    if (has_roots_) report_without_referrer();
    forget();
}

constexpr Rule kHeapshotObjectWithoutReferrer{
    .id = "mlpd/heapshot-object-without-referrer",
    .severity = Severity::note,
    .statement = "a root or a reference of a heapshot with roots leads to each of its objects",
    .message = "no root and no reference leads to {0} of the {1} objects of the heapshot; the first is {2x}",
    .why = "no reader can tell what keeps the objects alive",
    .spec = "4.3.2 Heapshots",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

// Once for a heapshot, at the first such object.
void Heapshot::report_without_referrer() {
    uint64_t listed = 0, without = 0;
    const Object* first = nullptr;
    objects_->for_each([&](const Object& object) {
        listed += object.is_listed ? 1 : 0;
        if (!object.is_listed || object.is_led_to) return;
        ++without;
        if (first == nullptr || object.place.spot.offset() < first->place.spot.offset()) first = &object;
    });
    if (first == nullptr) return;
    Place place = notes_.kinds.place(first->place);
    place.length = first->place.element;
    file_.findings.add<kHeapshotObjectWithoutReferrer>(place, {without, listed, first->key});
}

void Heapshot::taint() {
    forget();
    step(kHeapshotTracker, state_, HeapshotEvent::taint);
}

void Heapshot::finish(bool looks_killed) {
    const Rule* rule = step(kHeapshotTracker, state_, HeapshotEvent::end_of_file);
    if (rule == nullptr) return;
    Diagnostic finding{.rule = rule, .place = start_.place(), .numbers = {thread_id_}};
    finding.is_overridden = looks_killed;
    file_.findings.add(finding);
}

constinit const RuleList kHeapRules =
    rules<&kGcEventOrder, &kGcGenerationMismatch, &kHeapObjectOutsideHeapshot, &kHeapshotEndWithoutStart,
          &kHeapshotNested, &kHeapshotUnterminated, &kHeapObjectDuplicate, &kHeapObjectContinuationUnknown,
          &kHeapRefDangling, &kHeapshotObjectWithoutReferrer>;

}  // namespace tracelint::mlpd
