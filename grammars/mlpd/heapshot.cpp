// mlpd, sections 4.3 and 5, rules 63 to 69.
#include "grammars/mlpd/heapshot.hpp"

namespace tracelint::mlpd {

bool Heapshot::step(HeapshotEvent what, const Spot& event) {
    const auto& edge = kHeapshotMachine.at(state_, what);
    state_ = edge.to;
    if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {thread_id_, start_.offset});
    return edge.recovery == Recovery::accept && edge.to == HeapshotState::in;
}

void Heapshot::start(const Spot& event) {
    forget();
    if (step(HeapshotEvent::start, event) && file_.tracks(Tracking::heapshots))
        objects_ = std::make_unique<Objects>(file_);
    start_ = event;
}

void Heapshot::object(uint64_t id, uint64_t size, const Spot& event) {
    if (!step(HeapshotEvent::object, event)) return;
    Object* object = object_of(id, event.place());
    if (object == nullptr) return;
    if (size == 0 && !object->is_listed) file_.findings.add(kHeapObjectContinuationUnknown, event.place(), {id});
    if (size != 0 && object->is_listed) file_.findings.add(kHeapObjectDuplicate, event.place(), {id, size});
    object->is_listed = true;
}

void Heapshot::reference(uint64_t id, const Place& place) {
    if (id == 0 || objects_ == nullptr) return;
    Object* object = object_of(id, place);
    if (object == nullptr || object->is_listed || object->reference.length() != 0) return;
    object->reference = {place.offset, place.length, place.record_index};
    object->element = static_cast<uint32_t>(place.element);
    objects_->reference = place;
}

Heapshot::Object* Heapshot::object_of(uint64_t id, const Place& at) {
    if (objects_ == nullptr) return nullptr;
    Object* object = file_.tracks(Tracking::heapshots) ? objects_->table.find_or_insert(id) : nullptr;
    if (object != nullptr) return object;
    forget();
    file_.stop(Tracking::heapshots, at);
    return nullptr;
}

// Rule 69: only here is it known what the heapshot lacks.
void Heapshot::end(const Spot& event) {
    step(HeapshotEvent::end, event);
    if (objects_ == nullptr) return;
    file_.inspection.work.add(objects_->table.size());
    for (const Object& object : objects_->table.entries()) {
        if (object.is_listed) continue;
        Place place = objects_->reference;
        place.offset = object.reference.offset();
        place.length = object.reference.length();
        place.record_index = object.reference.index();
        place.element = object.element;
        file_.findings.add(kHeapRefDangling, place, {object.key});
    }
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
        file_.findings.add_milder(*edge.rule, start_.place(), {thread_id_});
    else
        file_.findings.add(*edge.rule, start_.place(), {thread_id_});
}

}  // namespace tracelint::mlpd
