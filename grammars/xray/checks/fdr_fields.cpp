// XRay, section 5.4: the fields of the metadata records of a buffer.
#include "grammars/xray/walk_fdr_buffer.hpp"

namespace tracelint::xray {

void BufferWalk::check_fields(Symbol symbol) {
    switch (symbol) {
        case Symbol::new_buffer: return check_new_buffer();
        case Symbol::wall_clock: return check_wall_clock();
        case Symbol::pid: return check_pid();
        case Symbol::cpu_id: return check_cpu_id();
        case Symbol::tsc_wrap: return check_tsc_wrap();
        case Symbol::call_argument: return check_reserved(file_, record<kCallArgument>(), bytes_);
        case Symbol::end_of_buffer: return check_reserved(file_, record<kEndOfBuffer>(), bytes_);
        default: return check_event(symbol);
    }
}

namespace {

constexpr Rule kReservedNonzero{
    .id = "xray/reserved-nonzero",
    .severity = Severity::note,
    .statement = "reserved bytes of metadata records are zero",
    .message = "a reserved byte is {0x}; further ones are not reported",
    .why = "readers ignore them, but stale memory of the program ends up in the file",
    .spec = "3.4 Metadata Records",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void report_reserved(FdrFile& file, const Place& place, uint8_t byte) {
    file.reserved_reported = true;
    Diagnostic finding{.rule = &kReservedNonzero, .place = place, .numbers = {byte}};
    finding.hint = "the runtime leaks bytes of its stack: stale ones in clang 14, aa in Debian's clang 19";
    file.report.add(finding);
}

// --- the preamble ------------------------------------------------------------------------------------------------

namespace {

constexpr Rule kThreadIdNonpositive{
    .id = "xray/thread-id-nonpositive",
    .severity = Severity::warning,
    .statement = "thread ids are positive",
    .message = "thread_id is {0d}; expected a positive number",
    .why = "readers show a thread that cannot exist: no system assigns such an id, so the record is damaged",
    .spec = "3.4.1 NewBuffer Records",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_new_buffer() {
    const auto buffer = record<kNewBuffer>();
    const auto tid = static_cast<int64_t>(buffer.get<"thread_id">());
    if (identity_.thread.tid == kNone) {
        identity_.thread.tid = static_cast<uint32_t>(tid);
        identity_.new_buffer = buffer.whole(kMetadataSize);
    }
    check_reserved(file_, buffer, bytes_);
    if (tid <= 0) file_.report.add<kThreadIdNonpositive>(buffer.place<"thread_id">(), {static_cast<uint64_t>(tid)});
}

namespace {

constexpr Rule kWallclockMicrosRange{
    .id = "xray/wallclock-micros-range",
    .severity = Severity::warning,
    .statement = "a wall clock has non-negative seconds and 0 to 999999 microseconds",
    .message = "the wall clock has {0d} here; expected non-negative seconds and 0 to 999999 microseconds",
    .why = "readers sort the buffers of a thread by this time, so calls may come out of order",
    .spec = "3.4.5 WallClockTime Records",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_wall_clock() {
    constexpr int64_t kMicros = 1'000'000;  // in a second
    const auto clock = record<kWallClock>();
    const auto seconds = static_cast<int64_t>(clock.get<"seconds">());
    const auto micros = static_cast<int64_t>(clock.get<"micros">());
    if (!identity_.seconds) {
        identity_.seconds = seconds;
        identity_.micros = micros;
    }
    check_reserved(file_, clock, bytes_);
    if (seconds < 0)
        file_.report.add<kWallclockMicrosRange>(clock.place<"seconds">(), {static_cast<uint64_t>(seconds)});
    if (micros < 0 || micros >= kMicros)
        file_.report.add<kWallclockMicrosRange>(clock.place<"micros">(), {static_cast<uint64_t>(micros)});
}

namespace {

constexpr Rule kPidNonpositive{
    .id = "xray/pid-nonpositive",
    .severity = Severity::warning,
    .statement = "process ids are positive",
    .message = "pid is {0d}; expected a positive number",
    .why = "readers show a process that cannot exist: no system assigns such an id, so the record is damaged",
    .spec = "3.4.10 Pid Records",
    .since = "0.1.0",
};

constexpr Rule kPidInconsistent{
    .id = "xray/pid-inconsistent",
    .severity = Severity::note,
    .statement = "all buffers of a file are of one process",
    .message = "pid is {0}, but the first one of the file is {1}",
    .why = "legal after a fork; readers show the threads of both processes together",
    .spec = "3.4.10 Pid Records",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_pid() {
    const auto process = record<kPid>();
    const auto pid = static_cast<int64_t>(process.get<"pid">());
    if (identity_.thread.pid == kNone) identity_.thread.pid = static_cast<uint32_t>(pid);
    check_reserved(file_, process, bytes_);
    const bool differs = file_.first_pid && *file_.first_pid != pid;
    if (!file_.first_pid) file_.first_pid = pid;
    const Place place = process.place<"pid">();
    if (pid <= 0) file_.report.add<kPidNonpositive>(place, {static_cast<uint64_t>(pid)});
    if (!differs || file_.other_pid_reported) return;
    file_.other_pid_reported = true;
    file_.report.add<kPidInconsistent>(place, {static_cast<uint64_t>(pid), static_cast<uint64_t>(*file_.first_pid)});
}

// --- the TSC -----------------------------------------------------------------------------------------------------

namespace {

constexpr Rule kTscBackwards{
    .id = "xray/tsc-backwards",
    .severity = Severity::warning,
    .statement = "the TSC of a thread does not go backwards",
    .message = "tsc is {0}, {1} below that of the previous record",
    .why = "llvm-xray account refuses the records from here on; the counters of two CPUs are out of step",
    .spec = "3.4.3 NewCpuId Records; 3.4.4 TSCWrap Records",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when = "the record is a TSCWrap, or constant_tsc is 0",
            .message = "tsc is {0}, {1} below that of the previous record",
            .why = "the writer announces that this can happen; llvm-xray account refuses the records from here on"},
};

constexpr Rule kTscOverflow{
    .id = "xray/tsc-overflow",
    .severity = Severity::warning,
    .statement = "the TSC stays below 2^64",
    .message = "a delta of {0} takes the TSC from {1} beyond 2^64 - 1",
    .why = "readers continue near 0, so the records appear to be the oldest of all",
    .spec = "3.3 Function Records",
    .since = "0.1.0",
};

}  // namespace

// `is_expected`: the file says that its TSC may go backwards here.
void BufferWalk::check_tsc(uint64_t tsc, const Place& place, bool is_expected) {
    if (tsc < tsc_)
        file_.report.add(
            {.rule = &kTscBackwards, .place = place, .numbers = {tsc, tsc_ - tsc}, .is_overridden = is_expected});
}

void BufferWalk::report_overflow(uint64_t delta, const Place& place) {
    file_.report.add<kTscOverflow>(place, {delta, tsc_});
}

namespace {

constexpr Rule kCpuIdUnchanged{
    .id = "xray/cpu-id-unchanged",
    .severity = Severity::note,
    .statement = "a NewCPUId in the body of a buffer names another CPU than before",
    .message = "the thread is already on CPU {0}",
    .why = "harmless: readers stay on the CPU. Logs of version 3 from LLVM itself have such records",
    .spec = "3.4.3 NewCpuId Records",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_cpu_id() {
    const auto change = record<kNewCpuId>();
    const uint64_t cpu = change.get<"cpu">(), tsc = change.get<"tsc">();
    check_reserved(file_, change, bytes_);
    check_tsc(tsc, change.place<"tsc">(), !file_.header.constant_tsc);
    if (cpu_ == cpu) file_.report.add<kCpuIdUnchanged>(change.place<"cpu">(), {cpu});
    cpu_ = cpu;
    tsc_ = tsc;
    tsc_known_ = true;
    if (!identity_.first_tsc) identity_.first_tsc = tsc_;
}

namespace {

constexpr Rule kTscWrapUnneeded{
    .id = "xray/tsc-wrap-unneeded",
    .severity = Severity::note,
    .statement = "a TSCWrap is only written where a delta would not fit",
    .message = "tsc is {0} above that of the previous record, which fits in a delta",
    .why = "harmless: readers take the TSC from the record. Logs of version 3 from LLVM itself have such records",
    .spec = "3.4.4 TSCWrap Records",
    .since = "0.1.0",
};

}  // namespace

void BufferWalk::check_tsc_wrap() {
    const auto wrap = record<kTscWrap>();
    const uint64_t tsc = wrap.get<"tsc">();
    check_reserved(file_, wrap, bytes_);
    check_tsc(tsc, wrap.place<"tsc">(), true);
    if (tsc_known_ && tsc >= tsc_ && tsc - tsc_ <= largest_delta(version_))
        file_.report.add<kTscWrapUnneeded>(wrap.place<"tsc">(), {tsc - tsc_});
    tsc_ = tsc;
    tsc_known_ = true;
}

// --- events ------------------------------------------------------------------------------------------------------

namespace {

constexpr Rule kTypedEventOldLayout{
    .id = "xray/typed-event-old-layout",
    .severity = Severity::note,
    .statement = "typed events occur in version 5 only",
    .message = "this typed event has the layout of versions 3 and 4, with an absolute TSC",
    .why = "LLVM 8 and later read the layout of version 5: type and times are wrong; LLVM 7 refuses the file",
    .spec = "3.4.9 TypedEvent Records; 6. Ambiguities and decisions",
    .since = "0.1.0",
};

constexpr const Field& kTypedEventDelta = *kTypedEvent.find("delta");

}  // namespace

void BufferWalk::remember_event(Symbol symbol) {
    has_events_ = true;
    has_typed_events_ |= symbol == Symbol::typed_event;
}

void BufferWalk::check_event(Symbol symbol) {
    remember_event(symbol);
    if (symbol == Symbol::custom_event) {
        if (version_ <= 3) return check_event_time<kCustomEvent, 3>();
        return version_ == 4 ? check_event_time<kCustomEvent, 4>() : check_event_time<kCustomEvent, 5>();
    }
    if (version_ >= kTypedEventDelta.first_version) return check_event_time<kTypedEvent, 5>();
    check_event_time<kTypedEvent, 4>();
    if (version_ < kTypedEvent.first_version || file_.old_layout_reported) return;
    file_.old_layout_reported = true;
    file_.report.add<kTypedEventOldLayout>(here(kMetadataSize));
}

namespace {

constexpr Rule kNegativeEventDelta{
    .id = "xray/negative-event-delta",
    .severity = Severity::warning,
    .statement = "in version 5, the delta of an event is not negative",
    .message = "the event's delta is {0d}; expected a TSCWrap before it instead",
    .why = "readers go back in time; where the TSC goes back, the runtime writes a TSCWrap before the event",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0",
};

constexpr Rule kEventTscBackwards{
    .id = "xray/event-tsc-backwards",
    .severity = Severity::note,
    .statement = "the TSC of an event is not below that of the previous record",
    .message = "the event's tsc is {0}, {1} below that of the previous record",
    .why = "readers show the event before the functions around it",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0",
};

}  // namespace

// Versions 1 to 4 give an event a TSC of its own, version 5 a delta. `Version`: one with this layout of the record.
template <const auto& R, uint16_t Version>
void BufferWalk::check_event_time() {
    const auto event = record<R, Version>();
    check_reserved(file_, event, bytes_);
    if constexpr (R.find("delta")->exists_in(Version)) {
        const uint64_t delta = event.template get<"delta">();
        if (static_cast<int64_t>(delta) < 0)
            file_.report.add<kNegativeEventDelta>(event.template place<"delta">(), {delta});
        else if (overflows(delta))
            report_overflow(delta, event.template place<"delta">());
        if (tsc_known_) tsc_ += delta;
    } else {
        const uint64_t tsc = event.template get<"tsc">();
        if (tsc < tsc_) file_.report.add<kEventTscBackwards>(event.template place<"tsc">(), {tsc, tsc_ - tsc});
    }
}

constinit const RuleList kBufferFieldRules =
    rules<&kReservedNonzero, &kThreadIdNonpositive, &kWallclockMicrosRange, &kPidNonpositive, &kPidInconsistent,
          &kTscBackwards, &kTscOverflow, &kCpuIdUnchanged, &kTscWrapUnneeded, &kTypedEventOldLayout,
          &kNegativeEventDelta, &kEventTscBackwards>;

}  // namespace tracelint::xray
