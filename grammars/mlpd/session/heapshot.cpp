// mlpd, sections 4.3 and 5, rules 63 to 69.
#include "grammars/mlpd/session/heapshot.hpp"

namespace tracelint::mlpd {

bool Heapshot::step(HeapshotEvent what, const Spot& event) {
    const auto& edge = kHeapshotMachine.at(state_, what);
    state_ = edge.to;
    if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {thread_id_, start_.offset});
    return edge.to == HeapshotState::in;
}

void Heapshot::start(const Spot& event) {
    take_noted();
    forget();
    if (step(HeapshotEvent::start, event) && file_.tracks(Tracking::heapshots))
        objects_ = std::make_unique<Objects>(file_.context.budget, file_.context.work);
    start_ = event;
}

void Heapshot::object(uint64_t id, uint64_t size, const Spot& event) {
    if (!step(HeapshotEvent::object, event) || objects_ == nullptr) return;
    note(id, size, event.place());
    // What may be an error is said at once: framing faults behind it are held against it.
    if (size == 0) take_noted();
}

void Heapshot::reference(uint64_t id, const Place& place) {
    if (id != 0 && objects_ != nullptr) note(id, kNone, place);
}

void Heapshot::note(uint64_t id, uint64_t size, const Place& place) {
    objects_->announce(id);
    notes_.last.add({id, size, place}, [this](const HeapNotes::Note& note) { take(note); });
}

void Heapshot::take_noted() {
    notes_.last.take_all([this](const HeapNotes::Note& note) { take(note); });
}

void Heapshot::take(const HeapNotes::Note& note) {
    if (objects_ == nullptr) return;
    Object* object = file_.tracks(Tracking::heapshots) ? objects_->find_or_insert(note.object) : nullptr;
    if (object == nullptr) {
        forget();
        return file_.stop(Tracking::heapshots, note.place);
    }
    if (note.size == kNone) {
        if (!object->is_listed && !object->reference.is_set()) object->reference = notes_.kinds.shortened(note.place);
        return;
    }
    if (note.size == 0 && !object->is_listed)
        file_.findings.add(kHeapObjectContinuationUnknown, note.place, {note.object});
    if (note.size != 0 && object->is_listed)
        file_.findings.add(kHeapObjectDuplicate, note.place, {note.object, note.size});
    object->is_listed = true;
}

// Rule 69: only here is it known what the heapshot lacks.
void Heapshot::end(const Spot& event) {
    step(HeapshotEvent::end, event);
    take_noted();
    if (objects_ == nullptr) return;
    file_.context.work.add(objects_->size());
    objects_->for_each([&](const Object& object) {
        if (!object.is_listed) file_.findings.add(kHeapRefDangling, notes_.kinds.place(object.reference), {object.key});
    });
    forget();
}

void Heapshot::taint() {
    forget();
    state_ = kHeapshotMachine.at(state_, HeapshotEvent::taint).to;
}

void Heapshot::finish(bool looks_killed) {
    const auto& edge = kHeapshotMachine.at(state_, HeapshotEvent::end_of_file);
    if (edge.rule == nullptr) return;
    if (looks_killed)
        file_.findings.add_overridden(*edge.rule, start_.place(), {thread_id_});
    else
        file_.findings.add(*edge.rule, start_.place(), {thread_id_});
}

}  // namespace tracelint::mlpd
