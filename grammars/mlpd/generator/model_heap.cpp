// mlpd: generated collections, heapshots, roots, handles, finalizers and samples.
#include "grammars/mlpd/generator/model.hpp"

namespace tracelint::mlpd {

// Collections, heapshots, roots, handles and finalizers.

namespace {

enum GcStep : uint64_t {
    kStart = 0,
    kMarkStart = 1,
    kReclaimEnd = 4,
    kEnd = 5,
    kPreStop = 6,
    kPostStop = 7,
    kPreStart = 8,
    kPostStart = 9,
    kPreStopLocked = 10,
    kPostStartUnlocked = 11,
};
constexpr uint16_t kWithLocks = 13;       // the first version with steps 10 and 11
constexpr uint16_t kLastWithPhases = 13;  // the last version with steps 1 to 4
constexpr uint64_t kWorldStop = 1, kWorldStart = 2;

}  // namespace

void Program::gc_event(uint64_t event, uint64_t generation) {
    plan_.event(kGcEvent).with("event", event).with("generation", generation);
}

// A collection with the world stopped, perhaps with a heapshot in it.
void Program::collect() {
    const uint64_t generation = below(random(), 2);
    const bool has_locks = plan_.version() >= kWithLocks, has_heapshot = one_in(random(), 3);
    gc_event(kPreStop, generation);
    if (has_locks) gc_event(kPreStopLocked, generation);
    gc_event(kPostStop, generation);
    if (has_locks) plan_.event(kSyncPoint).with("type", kWorldStop);
    if (has_heapshot) plan_.event(kHeapStart);
    for (uint64_t left = below(random(), 3); left > 0; --left) collect_generation(generation);
    if (has_heapshot && has_locks) list_objects();
    gc_event(kPreStart, generation);
    if (has_heapshot && !has_locks) list_objects();
    if (has_heapshot) plan_.event(kHeapEnd);
    if (has_locks) plan_.event(kSyncPoint).with("type", kWorldStart);
    gc_event(kPostStart, generation);
    if (has_locks) gc_event(kPostStartUnlocked, generation);
}

void Program::collect_generation(uint64_t generation) {
    gc_event(kStart, generation);
    if (generation == 1 && one_in(random(), 3)) collect_generation(0);
    if (plan_.version() <= kLastWithPhases)
        for (uint64_t step = kMarkStart; step <= kReclaimEnd; ++step) gc_event(step, generation);
    if (one_in(random(), 2)) move_objects();
    if (one_in(random(), 2) && plan_.has(kHeapRoot)) report_roots();
    gc_event(kEnd, generation);
}

void Program::take_heapshot() {
    plan_.event(kHeapStart);
    list_objects();
    plan_.event(kHeapEnd);
}

// References are to objects of the same heapshot.
void Program::list_objects() {
    std::vector<uint64_t> objects;
    for (uint64_t left = below(random(), 6); left > 0; --left) {
        const uint64_t object = plan_.object();
        if (std::find(objects.begin(), objects.end(), object) == objects.end()) objects.push_back(object);
    }
    for (const uint64_t object : objects) heap_object(object, false, objects);
    if (!objects.empty() && one_in(random(), 3)) heap_object(objects.front(), true, objects);
}

void Program::heap_object(uint64_t object, bool is_more, const std::vector<uint64_t>& objects) {
    const uint64_t references = below(random(), 4), size = 8 * (references + between(random(), 1, 8));
    PlannedRecord& event = plan_.event(kHeapObject);
    event.with("object", object).with("class", pick_of(random(), classes_)).with("size", is_more ? 0 : size);
    if (!vtables_.empty()) event.with("vtable", pick_of(random(), vtables_));
    event.size("references", references);
    for (uint64_t i = 0; i < references; ++i)
        event.with("offset", i == 0 ? 0 : 8, i).with("object", pick_of(random(), objects), i);
}

void Program::move_objects() { plan_.event(kGcMove).size("moves", 2 * below(random(), 4)); }

void Program::resize_heap() { plan_.event(kGcResize); }

void Program::report_roots() { plan_.event(kHeapRoot).size("roots", between(random(), 1, 4)); }

void Program::register_root() {
    if (!roots_.empty() && one_in(random(), 2)) {
        plan_.event(kRootUnregister).with("start", roots_.back());
        roots_.pop_back();
        return;
    }
    roots_.push_back(plan_.new_pointer());
    plan_.event(kRootRegister).with("start", roots_.back());
}

void Program::use_handle() {
    const uint64_t type = below(random(), 4), handle = ++handles_;
    plan_.event(kHandleCreated).with("type", type).with("handle", handle);
    if (!one_in(random(), 3)) plan_.event(kHandleDestroyed).with("type", type).with("handle", handle);
}

void Program::use_handle_backtrace() {
    const uint64_t type = below(random(), 4), handle = ++handles_;
    PlannedRecord& created = plan_.event(kHandleCreatedBacktrace).with("type", type).with("handle", handle);
    backtrace(created);
    if (one_in(random(), 3)) return;
    PlannedRecord& destroyed = plan_.event(kHandleDestroyedBacktrace).with("type", type).with("handle", handle);
    backtrace(destroyed);
}

void Program::finalize() {
    plan_.event(kFinalizeStart);
    for (uint64_t left = below(random(), 3); left > 0; --left) {
        const uint64_t object = plan_.object();
        plan_.event(kFinalizeObjectStart).with("object", object);
        plan_.event(kFinalizeObjectEnd).with("object", object);
    }
    plan_.event(kFinalizeEnd);
}

// Samples, counters, coverage and the rest.

namespace {

constexpr uint64_t kPeriodic = 0;
constexpr uint16_t kFirstCut = 13, kLastCut = 14;  // versions that truncate units and variances to a byte

}  // namespace

void Program::sample() {
    const uint64_t frames = below(random(), 5);
    PlannedRecord& hit = plan_.event(kSampleHit).size("addresses", between(random(), 1, 3)).size("frames", frames);
    for (uint64_t i = 0; i < frames; ++i) hit.with("method", method(), i);
    plan_.make_earlier(hit);
}

void Program::name_symbol() { plan_.event(kSampleSymbol).text("name", "memcpy"); }

void Program::name_binary() { plan_.event(kSampleBinary).text("name", "/usr/lib/libc.so.6"); }

void Program::describe_counters() {
    const uint64_t count = between(random(), 1, 3);
    PlannedRecord& event = plan_.event(kCountersDescription).size("descriptors", count);
    for (uint64_t i = 0; i < count; ++i) {
        counters_.push_back({counters_.size() + 1, below(random(), std::size(kCounterTypes))});
        event.with("index", counters_.back().index, i).with("type", counters_.back().type, i);
        if (kFirstCut <= plan_.version() && plan_.version() <= kLastCut)
            event.with("unit", 0, i).with("variance", 0, i);
    }
}

void Program::sample_counters() {
    if (counters_.empty()) return describe_counters();
    const uint64_t first = below(random(), counters_.size()), count = counters_.size() - first;
    PlannedRecord& event = plan_.event(kCounters).size("samples", count + 1).with("index", 0, count);
    for (uint64_t i = 0; i < count; ++i)
        event.with("index", counters_[first + i].index, i).with("type", counters_[first + i].type, i);
    plan_.make_earlier(event);
}

// Not trampolines of monitors and methods, which some versions do not have.
void Program::make_helper() {
    const uint64_t shift = plan_.version() < 14 ? 1 : 0;
    plan_.event(kJitHelper)
        .with("type", shift + pick<uint64_t>(random(), {0, 2, 3, 4, 5, 6, 8}))
        .text("name", "helper");
}

void Program::cover() {
    const uint64_t id = ++covered_, statements = below(random(), 4);
    if (one_in(random(), 2)) plan_.event(kCoverageAssembly);
    plan_.event(kCoverageMethod).with("method_id", id).with("statement_count", statements);
    for (uint64_t i = 0; i < statements; ++i) plan_.event(kCoverageStatement).with("method_id", id);
    if (one_in(random(), 2)) plan_.event(kCoverageClass);
}

void Program::synchronise() { plan_.event(kSyncPoint).with("type", kPeriodic); }

void Program::identify_aot() { plan_.event(kAotId).text("guid", "00112233-4455-6677-8899-aabbccddeeff"); }

}  // namespace tracelint::mlpd
