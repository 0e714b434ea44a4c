// mlpd, section 4.2: what an event leads to once its last field is read. The table at the end says so for every record.
#include "grammars/mlpd/lane.hpp"
#include "grammars/mlpd/walk_events.hpp"

namespace tracelint::mlpd {
namespace {

constexpr std::string_view kGoneJitHelper =
    "JIT helpers of type 1 (method trampoline) and 7 (monitor) are not written since version 17";

// An event of another version that is still decoded.
Diagnostic of_other_version(const Spot& event, uint64_t op, uint16_t version, std::string_view hint) {
    Diagnostic finding{.rule = &kEventNotInVersion, .place = event.place(), .numbers = {op, version}, .hint = hint};
    finding.is_overridden = true;
    return finding;
}

}  // namespace

// The value of a field of the current event; 0 if the event lacks it.
template <const auto& R, FixedName Name>
uint64_t EventReader::get() const {
    constexpr uint8_t slot = slot_of(R, Name.view());
    static_assert(slot != Step::kAlways, "no field of this name in the record");
    return values_.has(slot) ? values_.number[slot] : 0;
}

template <const auto& R, FixedName Name>
bool EventReader::holds() const {
    constexpr uint8_t slot = slot_of(R, Name.view());
    static_assert(slot != Step::kAlways, "no field of this name in the record");
    return values_.has(slot);
}

// The vtable of an object, before version 15 its class.
template <const auto& R>
uint64_t EventReader::type() const {
    return holds<R, "vtable">() ? get<R, "vtable">() : get<R, "class">();
}

constexpr Rule kFlagNeverWritten{
    .id = "mlpd/flag-never-written",
    .severity = Severity::note,
    .statement = "flags that are documented but were never written are not set",
    .message = "event byte {0x} has a flag that no runtime ever set",
    .why = "readers disagree on what follows: mprof-report reads a backtrace that the documentation does not have",
    .spec = "3.6 Events",
    .since = "0.1.0",
};

// What the event byte determines about the whole event.
inline void EventReader::check_op(const OpMeaning& meaning, uint8_t op) {
    if (!meaning.foreign_hint.empty()) with_.findings.add(of_other_version(event_, op, version_, meaning.foreign_hint));
    if (meaning.flag_is_unwritten) with_.findings.add<kFlagNeverWritten>(event_.place(), {op});
}

void EventReader::complete(const Op& kind, uint8_t op) {
    Plan& plan = *kind.plan;
    event_.length = at() - event_.offset;
    unloads_thread_ = false;
    check_op(kind.meaning, op);
    if (plan.actions.on_event != nullptr) (this->*plan.actions.on_event)();
    if (with_.session.is_early(time_) && !plan.actions.may_be_late && !unloads_thread_)
        with_.session.early(time_, event_);
    ++plan.count;
    ++event_.index;
}

// --- type 0 --------------------------------------------------------------------------------------------------

template <const auto& R>
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

template <const auto& R>
void EventReader::handle_created() {
    with_.session.handle_created(get<R, "type">(), as_int(get<R, "handle">()), event_);
}

template <const auto& R>
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

template <const auto& R, Kind K>
void EventReader::metadata_event() {
    const uint8_t x = subtype_of(static_cast<uint8_t>(get<R, "op">()));
    if ((x & kFlag) != 0) return;  // a load error defines, uses and unloads nothing (section 3.7)
    Metadata event{.kind = K, .x = x, .pointer = get<R, "pointer">()};
    if constexpr (R.find("image") != nullptr) {
        event.has_owner = holds<R, "image">();
        if (event.has_owner) event.owner = get<R, "image">();
    }
    if constexpr (R.find("domain") != nullptr) {
        event.has_owner = true;
        event.owner = get<R, "domain">();
    }
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
    if (!with_.session.step_enter(method, event_)) with_.session.enter(method, event_);
}

template <const auto& R, bool ByException>
void EventReader::leave() {
    const uint64_t method = get<R, "method">();
    if (!with_.session.step_leave(method)) with_.session.leave(method, ByException, event_);
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

// Up to version 13 the subtype holds the kind of event.
void EventReader::old_monitor() {
    const uint64_t kind = subtype_of(static_cast<uint8_t>(get<kOldMonitor, "op">())) & (kFlag - 1);
    const bool known =
        std::ranges::any_of(kMonitorEvents, [&](const NamedValue& named) { return named.value == kind; });
    if (!known) with_.findings.add<kMonitorEventRange>(event_.place(), {kind});
    with_.session.monitor(kind, get<kOldMonitor, "object">(), event_);
}

template <const auto& R>
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

// --- the table -----------------------------------------------------------------------------------------------

// One row for each record that leads to anything. Every field named time advances the time of the buffer.
struct EventReader::ActionTable {
    using E = EventReader;
    // clang-format off
    static constexpr RecordActions kRows[] = {
        {.record = &kOldFrame, .on_field = {{{"method", &E::use_frame}}}},
        {.record = &kFrame, .on_field = {{{"method", &E::use_frame}}}},

        {.record = &kAlloc, .on_event = &E::alloc<kAlloc>, .lane = Lane::alloc},
        {.record = &kAllocBacktrace, .on_event = &E::alloc<kAllocBacktrace>},

        {.record = &kGcEvent, .on_event = &E::gc_event},
        {.record = &kHandleCreated, .on_event = &E::handle_created<kHandleCreated>},
        {.record = &kHandleDestroyed, .on_event = &E::handle_destroyed<kHandleDestroyed>, .may_be_late = true},
        {.record = &kHandleCreatedBacktrace, .on_event = &E::handle_created<kHandleCreatedBacktrace>},
        {.record = &kHandleDestroyedBacktrace, .on_event = &E::handle_destroyed<kHandleDestroyedBacktrace>,
         .may_be_late = true},
        {.record = &kFinalizeStart, .on_event = &E::finalize_start},
        {.record = &kFinalizeEnd, .on_event = &E::finalize_end},
        {.record = &kFinalizeObjectStart, .on_event = &E::finalize_object_start},
        {.record = &kFinalizeObjectEnd, .on_event = &E::finalize_object_end},

        {.record = &kClass, .on_event = &E::metadata_event<kClass, Kind::klass>,
         .on_field = {{{"name", &E::check_name}}}},
        {.record = &kImage, .on_event = &E::metadata_event<kImage, Kind::image>,
         .on_field = {{{"name", &E::check_name}, {"mvid", &E::check_mvid}}}},
        {.record = &kAssembly, .on_event = &E::metadata_event<kAssembly, Kind::assembly>,
         .on_field = {{{"name", &E::check_name}}}},
        {.record = &kDomain, .on_event = &E::metadata_event<kDomain, Kind::domain>},
        {.record = &kThread, .on_event = &E::metadata_event<kThread, Kind::thread>},
        {.record = &kContext, .on_event = &E::metadata_event<kContext, Kind::context>},
        {.record = &kVtable, .on_event = &E::metadata_event<kVtable, Kind::vtable>},

        {.record = &kLeave, .on_event = &E::leave<kLeave, false>, .lane = Lane::leave},
        {.record = &kEnter, .on_event = &E::enter, .lane = Lane::enter},
        {.record = &kExceptionLeave, .on_event = &E::leave<kExceptionLeave, true>, .lane = Lane::exception_leave},
        {.record = &kJit, .on_event = &E::jit,
         .on_field = {{{"code_size", &E::check_code_size}, {"name", &E::check_name}}},
         .may_go_back = true, .may_be_late = true},

        {.record = &kClause, .on_event = &E::clause},

        {.record = &kOldMonitor, .on_event = &E::old_monitor},
        {.record = &kMonitor, .on_event = &E::monitor<kMonitor>},
        {.record = &kMonitorBacktrace, .on_event = &E::monitor<kMonitorBacktrace>},

        {.record = &kHeapStart, .on_event = &E::heap_start},
        {.record = &kHeapEnd, .on_event = &E::heap_end},
        {.record = &kHeapObject, .on_event = &E::heap_object},
        {.record = &kReference, .on_field = {{{"offset", &E::check_offset}, {"object", &E::take_reference}}}},
        {.record = &kRoot, .on_field = {{{"object", &E::take_root}}}},
        {.record = &kRootRegister, .on_event = &E::root_register},
        {.record = &kRootUnregister, .on_event = &E::root_unregister, .may_be_late = true},

        {.record = &kSampleHit, .may_go_back = true, .may_be_late = true},
        {.record = &kSampleFrame, .on_field = {{{"method", &E::use_frame}}}},
        {.record = &kSampleSymbol, .may_be_late = true},
        {.record = &kSampleBinary, .may_be_late = true},
        {.record = &kCountersDescription, .may_be_late = true},
        {.record = &kDescriptor, .on_field = {{{"index", &E::describe_counter}}}},
        {.record = &kCounters, .may_go_back = true, .may_be_late = true},
        {.record = &kSample, .on_field = {{{"index", &E::sample_counter}, {"type", &E::check_sample_type}}}},

        {.record = &kJitHelper, .on_event = &E::jit_helper},

        {.record = &kCoverageMethod, .on_event = &E::coverage_method},
        {.record = &kCoverageStatement, .on_event = &E::coverage_statement},

        {.record = &kSyncPoint, .on_event = &E::sync_point, .may_be_late = true},
        {.record = &kAotId, .on_field = {{{"guid", &E::check_aot_id}}}},
    };
    // clang-format on
    static constexpr RecordActions kNone{};
};

const RecordActions& EventReader::actions_of(const Record& record) {
    const auto found = std::ranges::find(ActionTable::kRows, &record, &RecordActions::record);
    return found == std::end(ActionTable::kRows) ? ActionTable::kNone : *found;
}

FieldAction EventReader::action_of(const RecordActions& actions, std::string_view field) {
    if (field == kTime.name) return &EventReader::check_time;
    for (const RecordActions::OnField& on_field : actions.on_field)
        if (on_field.field == field) return on_field.act;
    return nullptr;
}

void EventReader::open_lanes() {
    for (const RecordActions& row : ActionTable::kRows) {
        if (row.lane == Lane::none) continue;
        lanes_[row.record->tag] = row.lane;
        lane_plans_[static_cast<size_t>(row.lane)] = &with_.plans.of(*row.record);
    }
}

constinit const RuleList kEventActionRules = rules<&kFlagNeverWritten>;

}  // namespace tracelint::mlpd
