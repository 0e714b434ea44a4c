// xray, section 4.2 step 7: the fields of the metadata records of a buffer (rules 32 to 39, 45 to 47, 49, 65, 66).
// Part of BufferWalk.
#pragma once

#include "grammars/xray/fdr_buffer.hpp"

namespace tracelint::xray {

// In doubt, what is read as a record has no say in anything, except that an event is remembered.
template <Layout L>
void BufferWalk<L>::process(Symbol symbol) {
    if (doubt_ && !is_event(symbol)) return;
    switch (symbol) {
        case Symbol::new_buffer: return process_new_buffer();
        case Symbol::wall_clock: return process_wall_clock();
        case Symbol::pid: return process_pid();
        case Symbol::cpu_id: return process_cpu_id();
        case Symbol::tsc_wrap: return process_tsc_wrap();
        case Symbol::call_argument: return check_reserved<kCallArgument>();
        case Symbol::custom_event:
        case Symbol::typed_event: return process_event(symbol);
        case Symbol::end_of_buffer: return check_reserved<kEndOfBuffer>();
        default: return process_function(symbol);
    }
}

// Rule 45.
template <Layout L>
template <const Record& R>
void BufferWalk<L>::check_reserved() {
    if (file_.reserved_said) return;
    constexpr uint64_t from = View<R, L>::template offset_of<"reserved">();
    for (uint64_t at = from; at < kMetadataSize; ++at) {
        if (bytes_[at] != 0) return report_reserved(file_, record<R>().template place<"reserved">(at, 1), bytes_[at]);
    }
}

// Rule 37.
template <Layout L>
void BufferWalk<L>::process_new_buffer() {
    const auto buffer = record<kNewBuffer>();
    const auto tid = static_cast<int64_t>(buffer.template get<"thread_id">());
    if (identity_.thread.tid == kNone) {
        identity_.thread.tid = static_cast<uint32_t>(tid);
        identity_.new_buffer = buffer.whole(kMetadataSize);
    }
    check_reserved<kNewBuffer>();
    if (tid <= 0)
        file_.report.add(kThreadIdNonpositive, buffer.template place<"thread_id">(), {static_cast<uint64_t>(tid)});
}

// Rule 36.
template <Layout L>
void BufferWalk<L>::process_wall_clock() {
    constexpr int64_t kMicros = 1'000'000;
    const auto clock = record<kWallClock>();
    const auto seconds = static_cast<int64_t>(clock.template get<"seconds">());
    const auto micros = static_cast<int64_t>(clock.template get<"micros">());
    if (!identity_.seconds) {
        identity_.seconds = seconds;
        identity_.micros = micros;
    }
    check_reserved<kWallClock>();
    if (seconds < 0)
        file_.report.add(kWallclockMicrosRange, clock.template place<"seconds">(), {static_cast<uint64_t>(seconds)});
    if (micros < 0 || micros >= kMicros)
        file_.report.add(kWallclockMicrosRange, clock.template place<"micros">(), {static_cast<uint64_t>(micros)});
}

// Rules 38 and 39.
template <Layout L>
void BufferWalk<L>::process_pid() {
    const auto process = record<kPid>();
    const auto pid = static_cast<int64_t>(process.template get<"pid">());
    if (identity_.thread.pid == kNone) identity_.thread.pid = static_cast<uint32_t>(pid);
    check_reserved<kPid>();
    const bool differs = file_.first_pid && *file_.first_pid != pid;
    if (!file_.first_pid) file_.first_pid = pid;
    const Place place = process.template place<"pid">();
    if (pid <= 0) file_.report.add(kPidNonpositive, place, {static_cast<uint64_t>(pid)});
    if (!differs || file_.other_pid_said) return;
    file_.other_pid_said = true;
    file_.report.add(kPidInconsistent, place, {static_cast<uint64_t>(pid), static_cast<uint64_t>(*file_.first_pid)});
}

// Rule 32.
template <Layout L>
template <const Record& R>
void BufferWalk<L>::check_tsc(bool milder) {
    const uint64_t tsc = record<R>().template get<"tsc">();
    if (tsc < tsc_) {
        Diagnostic finding{.rule = &kTscBackwards, .place = record<R>().template place<"tsc">()};
        finding.numbers = {tsc, tsc_ - tsc};
        finding.is_overridden = milder;
        file_.report.add(finding);
    }
}

// Rules 32 and 49.
template <Layout L>
void BufferWalk<L>::process_cpu_id() {
    const auto change = record<kNewCpuId>();
    const uint64_t cpu = change.template get<"cpu">();
    check_reserved<kNewCpuId>();
    check_tsc<kNewCpuId>(!file_.header.constant_tsc);
    if (cpu_ == cpu) file_.report.add(kCpuIdUnchanged, change.template place<"cpu">(), {cpu});
    cpu_ = cpu;
    tsc_ = change.template get<"tsc">();
    tsc_known_ = true;
    if (!identity_.first_tsc) identity_.first_tsc = tsc_;
}

// Rules 32 and 65.
template <Layout L>
void BufferWalk<L>::process_tsc_wrap() {
    const auto wrap = record<kTscWrap>();
    const uint64_t tsc = wrap.template get<"tsc">();
    check_reserved<kTscWrap>();
    check_tsc<kTscWrap>(true);
    if (tsc_known_ && tsc >= tsc_ && tsc - tsc_ <= kLargestDelta)
        file_.report.add(kTscWrapUnneeded, wrap.template place<"tsc">(), {tsc - tsc_});
    tsc_ = tsc;
    tsc_known_ = true;
}

// Rules 46 and 47.
template <Layout L>
void BufferWalk<L>::process_event(Symbol symbol) {
    has_events_ = true;
    if (symbol == Symbol::typed_event) {
        if (L.version >= 5) typed_said_ = frame_.extents.record != nullptr;
        has_typed_events_ = true;
    }
    if (doubt_) return;
    if (symbol == Symbol::custom_event) return process_event_time<kCustomEvent>();
    process_event_time<kTypedEvent>();
    if (!kHasOldTypedEvents<L.version> || file_.old_layout_said) return;
    file_.old_layout_said = true;
    file_.report.add(kTypedEventOldLayout, here(kMetadataSize));
}

// Rules 33, 34 and 66: versions 1 to 4 carry a TSC of their own, version 5 a delta.
template <Layout L>
template <const Record& R>
void BufferWalk<L>::process_event_time() {
    const auto event = record<R>();
    check_reserved<R>();
    if constexpr (R.find("delta")->exists_in(L.version)) {
        const uint64_t delta = event.template get<"delta">();
        if (static_cast<int64_t>(delta) < 0)
            file_.report.add(kNegativeEventDelta, event.template place<"delta">(), {delta});
        else
            check_overflow(delta, event.template place<"delta">());
        if (tsc_known_) tsc_ += delta;
    } else {
        const uint64_t tsc = event.template get<"tsc">();
        if (tsc < tsc_) file_.report.add(kEventTscBackwards, event.template place<"tsc">(), {tsc, tsc_ - tsc});
    }
}

// Rule 33.
template <Layout L>
void BufferWalk<L>::check_overflow(uint64_t delta, const Place& place) {
    if (tsc_ + delta < tsc_) [[unlikely]]
        file_.report.add(kTscOverflow, place, {delta, tsc_});
}

}  // namespace tracelint::xray
