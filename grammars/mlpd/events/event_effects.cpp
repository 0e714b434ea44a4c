// mlpd, section 4.2: what an event does when its last field was read.
#include "grammars/mlpd/events/event_reader.hpp"
#include "grammars/mlpd/events/narrow_numbers.hpp"

namespace tracelint::mlpd {
namespace {

// Rule 33, where the event is read all the same.
constexpr std::string_view kGoneJitHelper =
    "JIT helpers of type 1 (method trampoline) and 7 (monitor) are not written since version 17";
constexpr std::string_view kGoneClassUnload = "classes are not unloaded since version 14";
constexpr std::string_view kGoneSampleBinary = "the binaries of samples are not written since version 16";

Diagnostic of_other_version(const Spot& event, uint8_t op, uint16_t version, std::string_view hint) {
    Diagnostic finding{.rule = &kEventNotInVersion, .place = event.place(), .numbers = {op, version}, .hint = hint};
    finding.is_overridden = true;
    return finding;
}

}  // namespace

// The value of a field of the event at hand, 0 where it has none.
template <const Record& R, FixedName Name>
uint64_t EventReader::get() const {
    constexpr uint8_t slot = slot_of(R, Name.view());
    static_assert(slot != Step::kAlways, "no field of this name in the record");
    return values_.has(slot) ? values_.number[slot] : 0;
}

template <const Record& R, FixedName Name>
bool EventReader::holds() const {
    constexpr uint8_t slot = slot_of(R, Name.view());
    static_assert(slot != Step::kAlways, "no field of this name in the record");
    return values_.has(slot);
}

// The vtable of an object, before version 15 its class.
template <const Record& R>
uint64_t EventReader::type() const {
    return holds<R, "vtable">() ? get<R, "vtable">() : get<R, "class">();
}

void EventReader::complete(Plan& plan, uint8_t op) {
    event_.length = at() - event_.offset;
    unloads_thread_ = false;
    check_op(plan, op);
    if (plan.effect != nullptr) (this->*plan.effect)();
    // SYNC_POINT itself is never early.
    if (with_.session.is_early(time_)) with_.session.early(op, unloads_thread_, time_, event_);
    ++plan.count;
    ++event_.index;
}

// What the event byte tells of the whole event: rules 33 and 102.
void EventReader::check_op(const Plan& plan, uint8_t op) {
    const bool is_metadata = type_of(op) == kMetadataType;
    const MetadataRow* row = is_metadata ? metadata_row(*plan.record, op, version_) : nullptr;
    const bool is_gone = row != nullptr && row->last < version_;
    if (ops_[op].meaning.is_foreign || is_gone)
        with_.findings.add(of_other_version(event_, op, version_, is_gone ? kGoneClassUnload : kGoneSampleBinary));
    const bool has_flag = (subtype_of(op) & kFlag) != 0;
    if (!has_flag) return;
    const bool is_old_monitor = plan.record == &kOldMonitor && op != kOldMonitorBacktrace;
    if (is_metadata || is_old_monitor || plan.record == &kClause)
        with_.findings.add(kFlagNeverWritten, event_.place(), {op});
}

// --- type 0 --------------------------------------------------------------------------------------------------

template <const Record& R>
void EventReader::alloc() {
    if (!with_.session.step_alloc(type<R>())) with_.session.alloc(type<R>(), event_);
}

// --- type 1 --------------------------------------------------------------------------------------------------

void EventReader::gc_event() {
    constexpr uint8_t slot = slot_of(kGcEvent, "generation");
    const Place generation{values_.at[slot], values_.length[slot], &kGcEvent, kGcEvent.find("generation"),
                           nullptr,          event_.index,         kNone};
    with_.session.gc_event(get<kGcEvent, "event">(), get<kGcEvent, "generation">(), generation, event_);
}

template <const Record& R>
void EventReader::handle_created() {
    with_.session.handle_created(get<R, "type">(), as_int(get<R, "handle">()), event_);
}

template <const Record& R>
void EventReader::handle_destroyed() {
    with_.session.handle_destroyed(get<R, "type">(), as_int(get<R, "handle">()), event_);
}

void EventReader::finalize_start() { with_.session.finalize_start(event_); }
void EventReader::finalize_end() { with_.session.finalize_end(event_); }
void EventReader::finalize_object_start() {
    with_.session.finalize_object_start(get<kFinalizeObjectStart, "object">(), event_);
}
void EventReader::finalize_object_end() {
    with_.session.finalize_object_end(get<kFinalizeObjectEnd, "object">(), event_);
}

// --- type 2 --------------------------------------------------------------------------------------------------

template <const Record& R, Kind K>
void EventReader::metadata_event() {
    const uint8_t x = subtype_of(static_cast<uint8_t>(get<R, "op">()));
    if ((x & kFlag) != 0) return;  // 3.7: it defines, uses and unloads nothing
    Metadata event{.kind = K, .x = x, .pointer = get<R, "pointer">()};
    if constexpr (R.find("image") != nullptr)
        if (holds<R, "image">()) event.image = get<R, "image">();
    if constexpr (R.find("domain") != nullptr) event.domain = get<R, "domain">();
    if constexpr (R.find("class") != nullptr) event.klass = get<R, "class">();
    if (K == Kind::thread && (event.loads() || event.unloads())) {
        with_.times.thread_event(event.pointer);
        unloads_thread_ = event.unloads();
    }
    with_.session.metadata(event, event_);
}

// --- types 3 and 4 -------------------------------------------------------------------------------------------

void EventReader::enter() {
    const uint64_t method = get<kEnter, "method">();
    if (!with_.session.step_call(method, 0, event_.offset, event_.length, event_.index))
        with_.session.enter(method, event_);
}

template <const Record& R>
void EventReader::leave() {
    const uint64_t method = get<R, "method">();
    if (!with_.session.step_call(method, 1, event_.offset, event_.length, event_.index))
        with_.session.leave(method, &R == &kExceptionLeave, event_);
}

void EventReader::jit() {
    with_.times.excuse();
    with_.session.jit(get<kJit, "method">(), event_);
}

void EventReader::clause() {
    const uint64_t method = get<kClause, "method">();
    if (!with_.session.step_use(method)) with_.session.use(method, event_.place());
}

// --- type 5 --------------------------------------------------------------------------------------------------

// Rule 48, where the event is in the subtype.
void EventReader::old_monitor() {
    const uint64_t kind = subtype_of(static_cast<uint8_t>(get<kOldMonitor, "op">())) & (kFlag - 1);
    const bool known =
        std::ranges::any_of(kMonitorEvents, [&](const NamedValue& named) { return named.value == kind; });
    if (!known) with_.findings.add(kMonitorEventRange, event_.place(), {kind});
    with_.session.monitor(kind, get<kOldMonitor, "object">(), event_);
}

template <const Record& R>
void EventReader::monitor() {
    with_.session.monitor(get<R, "event">(), get<R, "object">(), event_);
}

// --- type 6 --------------------------------------------------------------------------------------------------

void EventReader::heap_start() { with_.session.heap_start(event_); }
void EventReader::heap_end() { with_.session.heap_end(event_); }
void EventReader::heap_object() {
    with_.session.heap_object(get<kHeapObject, "object">(), type<kHeapObject>(), as_int(get<kHeapObject, "size">()),
                              event_);
}
void EventReader::root_register() { with_.session.root_registered(get<kRootRegister, "start">(), event_); }
void EventReader::root_unregister() { with_.session.root_unregistered(get<kRootUnregister, "start">(), event_); }

// --- types 8 to 10 -------------------------------------------------------------------------------------------

void EventReader::jit_helper() {
    const bool is_gone = std::ranges::find(kGoneJitHelpers, get<kJitHelper, "type">()) != std::end(kGoneJitHelpers);
    if (version_ >= kJitHelpersGoneSince && is_gone)
        with_.findings.add(of_other_version(event_, kJitHelper.tag, version_, kGoneJitHelper));
}

void EventReader::coverage_method() {
    with_.session.coverage_method(get<kCoverageMethod, "method_id">(),
                                  as_int(get<kCoverageMethod, "statement_count">()), event_);
}
void EventReader::coverage_statement() {
    with_.session.coverage_statement(get<kCoverageStatement, "method_id">(), event_);
}
void EventReader::sync_point() { with_.session.sync_point(get<kSyncPoint, "type">(), time_, event_); }

void (EventReader::* EventReader::effect_of(const Record& record))() {
    struct Effect {
        const Record* record;
        void (EventReader::*effect)();
    };
    static constexpr Effect kEffects[] = {
        {&kAlloc, &EventReader::alloc<kAlloc>},
        {&kAllocBacktrace, &EventReader::alloc<kAllocBacktrace>},
        {&kGcEvent, &EventReader::gc_event},
        {&kHandleCreated, &EventReader::handle_created<kHandleCreated>},
        {&kHandleDestroyed, &EventReader::handle_destroyed<kHandleDestroyed>},
        {&kHandleCreatedBacktrace, &EventReader::handle_created<kHandleCreatedBacktrace>},
        {&kHandleDestroyedBacktrace, &EventReader::handle_destroyed<kHandleDestroyedBacktrace>},
        {&kFinalizeStart, &EventReader::finalize_start},
        {&kFinalizeEnd, &EventReader::finalize_end},
        {&kFinalizeObjectStart, &EventReader::finalize_object_start},
        {&kFinalizeObjectEnd, &EventReader::finalize_object_end},
        {&kClass, &EventReader::metadata_event<kClass, Kind::klass>},
        {&kImage, &EventReader::metadata_event<kImage, Kind::image>},
        {&kAssembly, &EventReader::metadata_event<kAssembly, Kind::assembly>},
        {&kDomain, &EventReader::metadata_event<kDomain, Kind::domain>},
        {&kThread, &EventReader::metadata_event<kThread, Kind::thread>},
        {&kContext, &EventReader::metadata_event<kContext, Kind::context>},
        {&kVtable, &EventReader::metadata_event<kVtable, Kind::vtable>},
        {&kLeave, &EventReader::leave<kLeave>},
        {&kEnter, &EventReader::enter},
        {&kExceptionLeave, &EventReader::leave<kExceptionLeave>},
        {&kJit, &EventReader::jit},
        {&kClause, &EventReader::clause},
        {&kOldMonitor, &EventReader::old_monitor},
        {&kMonitor, &EventReader::monitor<kMonitor>},
        {&kMonitorBacktrace, &EventReader::monitor<kMonitorBacktrace>},
        {&kHeapStart, &EventReader::heap_start},
        {&kHeapEnd, &EventReader::heap_end},
        {&kHeapObject, &EventReader::heap_object},
        {&kRootRegister, &EventReader::root_register},
        {&kRootUnregister, &EventReader::root_unregister},
        {&kJitHelper, &EventReader::jit_helper},
        {&kCoverageMethod, &EventReader::coverage_method},
        {&kCoverageStatement, &EventReader::coverage_statement},
        {&kSyncPoint, &EventReader::sync_point},
    };
    for (const Effect& known : kEffects)
        if (known.record == &record) return known.effect;
    return nullptr;
}

}  // namespace tracelint::mlpd
