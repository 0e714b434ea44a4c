// Metadata, calls, allocations, exceptions and monitors.
#include "grammars/mlpd/generator/model_activities.hpp"

namespace tracelint::mlpd {
namespace {

constexpr uint64_t kName = 0x02, kLoad = 0x22, kUnload = 0x42;  // op bytes of metadata
constexpr uint64_t kDeepest = 20;                               // open calls of a thread
constexpr std::string_view kGuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301";

}  // namespace

// An activity is left out in versions that do not have its record.
const Program::Activity Program::kActivities[] = {
    {&kEnter, &Program::call},
    {&kEnter, &Program::call},
    {&kEnter, &Program::call},
    {&kLeave, &Program::leave},
    {&kLeave, &Program::leave},
    {&kAlloc, &Program::allocate},
    {&kAlloc, &Program::allocate},
    {&kJit, &Program::compile},
    {&kClass, &Program::load_class},
    {&kDomain, &Program::use_a_domain},
    {&kAssembly, &Program::use_an_assembly},
    {&kThread, &Program::name_thread},
    {&kThrow, &Program::throw_exception},
    {&kThrow, &Program::wait_for_monitor},
    {&kGcEvent, &Program::collect},
    {&kHeapStart, &Program::take_heapshot},
    {&kGcMove, &Program::move_objects},
    {&kGcResize, &Program::resize_heap},
    {&kHeapRoot, &Program::report_roots},
    {&kRootRegister, &Program::register_root},
    {&kHandleCreated, &Program::use_handle},
    {&kHandleCreatedBacktrace, &Program::use_handle_backtrace},
    {&kFinalizeStart, &Program::finalize},
    {&kSampleHit, &Program::sample},
    {&kSampleSymbol, &Program::name_symbol},
    {&kSampleBinary, &Program::name_binary},
    {&kCountersDescription, &Program::describe_counters},
    {&kCounters, &Program::sample_counters},
    {&kJitHelper, &Program::make_helper},
    {&kCoverageMethod, &Program::cover},
    {&kSyncPoint, &Program::synchronise},
    {&kAotId, &Program::identify_aot},
};

void Program::open_buffer(size_t thread) {
    current_ = thread;
    const uint64_t pointer = classes_.empty() ? 0 : pick_of(random(), classes_);
    const uint64_t object = plan_.object(), method_base = methods_.empty() ? 0 : method();
    plan_.open_buffer(threads_[thread].id, pointer, object, method_base);
}

void Program::start_thread() {
    threads_.push_back({plan_.new_pointer(), {}});
    open_buffer(threads_.size() - 1);
    if (plan_.has(kDomain)) plan_.event(kThread, kLoad).with("pointer", thread().id);
}

void Program::begin() {
    start_thread();
    if (plan_.has(kDomain)) load_domain(domains_++);
    load_image();
    for (uint64_t left = between(random(), 1, 4); left > 0; --left) load_class();
    for (uint64_t left = between(random(), 1, 6); left > 0; --left) compile();
}

void Program::go_on(uint64_t activities) {
    if (threads_.size() < 4 && one_in(random(), 4))
        start_thread();
    else
        open_buffer(below(random(), threads_.size()));
    // The first writers left some buffers empty.
    if (plan_.version() == 1 && one_in(random(), 12)) return;
    while (activities > 0) {
        const Activity& activity = pick_of(random(), kActivities);
        if (!plan_.has(*activity.record)) continue;
        (this->*activity.run)();
        --activities;
    }
}

void Program::end() {
    for (size_t i = 0; i < threads_.size(); ++i) {
        const bool has_nothing_to_say = threads_[i].calls.empty() && !plan_.has(kDomain);
        if (has_nothing_to_say || one_in(random(), 4)) continue;
        open_buffer(i);
        while (!thread().calls.empty()) leave();
        if (plan_.has(kDomain)) plan_.event(kThread, kUnload).with("pointer", thread().id);
    }
}

void Program::backtrace(PlannedRecord& event) {
    const uint64_t depth = one_in(random(), 20) ? 32 : below(random(), 5);
    event.size("backtrace", depth);
    for (uint64_t i = 0; i < depth; ++i) event.with("method", method(), i);
}

void Program::load_domain(uint64_t id) {
    plan_.event(kDomain, kLoad).with("pointer", id);
    plan_.event(kDomain, kName).with("pointer", id);
}

uint64_t Program::load_image() {
    const uint64_t image = images_.emplace_back(plan_.new_pointer());
    plan_.event(kImage, kLoad)
        .with("pointer", image)
        .text("name", "/usr/lib/mono/some.dll")
        .text("mvid", std::string(one_in(random(), 3) ? "" : kGuid));
    return image;
}

void Program::load_class() {
    const uint64_t klass = classes_.emplace_back(plan_.new_pointer());
    plan_.event(kClass, kLoad).with("pointer", klass).with("image", images_.front()).text("name", "Some.Class");
    if (!plan_.has(kVtable)) return;
    vtables_.push_back(plan_.new_pointer());
    plan_.event(kVtable, kLoad).with("pointer", vtables_.back()).with("domain", 0).with("class", klass);
}

void Program::compile() {
    methods_.push_back(plan_.new_pointer());
    PlannedRecord& event = plan_.event(kJit).with("method", methods_.back()).text("name", "Some.Class:Method ()");
    if (one_in(random(), 8))
        event.with("code", 0).with("code_size", 0);
    else
        event.with("code", plan_.new_pointer());
    plan_.make_earlier(event);
}

// Loads and unloads another domain with its contents.
void Program::use_a_domain() {
    const uint64_t id = domains_++;
    load_domain(id);
    const uint64_t context = one_in(random(), 2) ? 0 : plan_.new_pointer();
    plan_.event(kContext, kLoad).with("pointer", context).with("domain", id);
    if (plan_.has(kVtable))
        plan_.event(kVtable, kLoad)
            .with("pointer", plan_.new_pointer())
            .with("domain", id)
            .with("class", pick_of(random(), classes_));
    plan_.event(kContext, kUnload).with("pointer", context).with("domain", id);
    plan_.event(kDomain, kUnload).with("pointer", id);
}

void Program::use_an_assembly() {
    const uint64_t image = load_image(), assembly = plan_.new_pointer();
    plan_.event(kAssembly, kLoad).with("pointer", assembly).with("image", image).text("name", "Some, Version=1.0");
    if (one_in(random(), 2)) return;
    plan_.event(kAssembly, kUnload).with("pointer", assembly).with("image", image);
    plan_.event(kImage, kUnload).with("pointer", image);
    images_.pop_back();
}

void Program::name_thread() { plan_.event(kThread, kName).with("pointer", thread().id).text("name", "Finalizer"); }

void Program::call() {
    if (thread().calls.size() >= kDeepest) return leave();
    thread().calls.push_back(method());
    plan_.event(kEnter).with("method", thread().calls.back());
}

void Program::leave() {
    if (thread().calls.empty()) return call();
    plan_.event(one_in(random(), 8) ? kExceptionLeave : kLeave).with("method", thread().calls.back());
    thread().calls.pop_back();
}

void Program::allocate() {
    PlannedRecord& event = plan_.event(one_in(random(), 3) ? kAllocBacktrace : kAlloc);
    event.with("class", pick_of(random(), classes_))
        .with("object", plan_.object())
        .with("size", 8 * between(random(), 1, 50));
    if (!vtables_.empty()) event.with("vtable", pick_of(random(), vtables_));
    backtrace(event);
}

void Program::throw_exception() {
    const uint64_t exception = plan_.object();
    PlannedRecord& thrown = plan_.event(one_in(random(), 2) ? kThrowBacktrace : kThrow).with("object", exception);
    backtrace(thrown);
    for (uint64_t left = below(random(), 3); left > 0; --left)
        plan_.event(kClause, kClause.tag).with("method", method()).with("object", one_in(random(), 2) ? 0 : exception);
}

void Program::wait_for_monitor() {
    const uint64_t lock = plan_.object(), outcome = between(random(), 2, 3);
    const bool has_backtrace = one_in(random(), 2);
    if (plan_.has(kOldMonitor)) {
        PlannedRecord& event =
            plan_.event(kOldMonitor, has_backtrace ? kOldMonitorBacktrace : 0x15).with("object", lock);
        backtrace(event);
        plan_.event(kOldMonitor, outcome << 4 | 5).with("object", lock);
        return;
    }
    for (const uint64_t step : {uint64_t{1}, outcome}) {
        PlannedRecord& event = plan_.event(has_backtrace ? kMonitorBacktrace : kMonitor);
        event.with("event", step).with("object", lock);
        backtrace(event);
    }
}

}  // namespace tracelint::mlpd
