// mlpd, section 5: the checks of single fields, made as they are read. The rules of the checks that records.hpp lists
// are there.
#include "grammars/mlpd/checks/values.hpp"
#include "grammars/mlpd/lane.hpp"
#include "grammars/mlpd/walk_events.hpp"

namespace tracelint::mlpd {
namespace {

// Where the rule of a check has its override, or does not apply. Empty conditions hold.
struct CheckException {
    const Rule* rule;
    const Record* record = nullptr;
    std::optional<uint64_t> value{};
    std::string_view other{};  // name of another field of the record,
    uint64_t other_value = 0;  // and its value
    bool is_exempt = false;
};
constexpr CheckException kCheckExceptions[] = {
    {.rule = &kGcGenerationRange, .value = gc::kLastGeneration},
    {.rule = &kExceptionClauseTypeRange, .value = 3},
    {.rule = &kHeapGenerationRange, .value = 2},
    {.rule = &kNullMethod, .record = &kSampleFrame},
    // Descriptors of performance counters are written without a variance (section 3.8).
    {.rule = &kCounterUnitVariance,
     .value = 0,
     .other = "section",
     .other_value = kPerformanceCounters,
     .is_exempt = true},
};

const CheckException* exception_of(const Rule& rule, const Reading& reading, uint64_t value) {
    const Record& record = *reading.plan.record;
    const auto holds = [&](const CheckException& e) {
        return e.rule == &rule && (e.record == nullptr || e.record == &record) && (!e.value || *e.value == value) &&
               (e.other.empty() || reading.values.number[slot_of(record, e.other)] == e.other_value);
    };
    const auto found = std::ranges::find_if(kCheckExceptions, holds);
    return found == std::end(kCheckExceptions) ? nullptr : found;
}

constexpr uint64_t kFirstLateTime = uint64_t{1} << 63;  // ns

}  // namespace

Place EventReader::place(const Reading& reading, const Step& step) const {
    return {reading.values.at[step.slot],
            reading.values.length[step.slot],
            reading.plan.record,
            step.field,
            reading.list,
            event_.index,
            reading.element};
}

// The checks that records.hpp lists for the field. False: the framing depends on it.
bool EventReader::check_table(const Reading& reading, const Step& step) {
    const uint64_t value = reading.values.number[step.slot];
    for (const Check& check : step.field->checks) {
        if (check.rule == nullptr || obeys(*step.field, check, value)) continue;
        const uint64_t numbers[] = {value};
        if (check.rule->depends_on.resynchronisation) return fail(*check.rule, place(reading, step), numbers);
        const CheckException* exception = exception_of(*check.rule, reading, value);
        if (exception == nullptr)
            with_.findings.add(*check.rule, place(reading, step), numbers);
        else if (!exception->is_exempt)
            with_.findings.add_overridden(*check.rule, place(reading, step), numbers);
    }
    return true;
}

constexpr Rule kPointerWidthOverflow{
    .id = "mlpd/pointer-width-overflow",
    .severity = Severity::warning,
    .statement = "with pointers of 4 bytes, every difference fits in a signed 32-bit number",
    .message = "the difference {0d} does not fit in 32 bits, but ptrsize is 4",
    .why = "some readers cut the pointer to 32 bits and others do not, so they disagree about it",
    .spec = "3.4 Decoder state of a buffer",
    .since = "0.1.0",
};

void EventReader::check_distance(const Reading& reading, const Step& step, uint64_t distance) {
    if (!fits_32_bits(distance)) with_.findings.add<kPointerWidthOverflow>(place(reading, step), {distance});
}

constexpr Rule kTimeDeltaWraps{
    .id = "mlpd/time-delta-wraps",
    .severity = Severity::warning,
    .statement = "an event is not earlier than the event before it",
    .message = "time goes back: {0d} ns from the previous event",
    .why = "durations come out as nearly 2^64 ns; only JIT, SAMPLE_HIT and SAMPLE_COUNTERS carry earlier times",
    .spec = "3.4 Decoder state of a buffer",
    .since = "0.1.0",
};

constexpr Rule kTimeOverflow{
    .id = "mlpd/time-overflow",
    .severity = Severity::warning,
    .statement = "times stay below 2^63",
    .message = "the time passes 2^63, {0} ns after {1}",
    .why = "readers that keep times as signed numbers see them jump far back",
    .spec = "3.4 Decoder state of a buffer",
    .since = "0.1.0",
};

// Advances the time of the buffer.
void EventReader::check_time(const Reading& reading, const Step& step) {
    const uint64_t delta = reading.values.number[step.slot], before = time_;
    time_ += delta;
    if (delta >= kFirstLateTime) {
        if (!reading.plan.actions.may_go_back) with_.findings.add<kTimeDeltaWraps>(place(reading, step), {delta});
        return;
    }
    if (before < kFirstLateTime && time_ >= kFirstLateTime)
        with_.findings.add<kTimeOverflow>(place(reading, step), {delta, before});
}

// --- strings -------------------------------------------------------------------------------------------------

constexpr Rule kInvalidUtf8{
    .id = "mlpd/invalid-utf8",
    .severity = Severity::warning,
    .statement = "strings are UTF-8",
    .message = "byte {0} of the string does not begin a valid UTF-8 sequence",
    .why = "readers show replacement characters, or write a report that is not valid UTF-8 either",
    .spec = "3.10 Strings",
    .since = "0.1.0",
};

// `ill_formed`: index of the first byte that is not UTF-8, or kNone.
void EventReader::check_utf8(const Reading& reading, const Step& step, uint64_t ill_formed) {
    if (ill_formed == kNone) return;
    Place byte = place(reading, step);
    byte.offset += ill_formed;
    byte.length = 1;
    with_.findings.add<kInvalidUtf8>(byte, {ill_formed});
}

constexpr Rule kEmptyName{
    .id = "mlpd/empty-name",
    .severity = Severity::note,
    .statement = "classes, images, assemblies and methods have a name",
    .message = "the name is empty",
    .why = "reports show a blank instead of the name",
    .spec = "3.7 TYPE_METADATA (2); 3.6.3 TYPE_METHOD (3)",
    .since = "0.1.0",
};

void EventReader::check_name(const Reading& reading, const Step& step) {
    const uint64_t offset = reading.values.at[step.slot], length = reading.values.number[step.slot];
    if (length == 0) with_.findings.add<kEmptyName>(place(reading, step));
    const bool is_in_hand = offset >= data_at_ && offset + length - event_.offset <= with_.context.limits.record;
    if (with_.context.names != nullptr && reading.plan.record == &kJit && is_in_hand)
        with_.context.names->on_name({data_ + (offset - data_at_), static_cast<size_t>(length)});
}

constexpr Rule kBadMvid{
    .id = "mlpd/bad-mvid",
    .severity = Severity::error,
    .statement = "mvid is empty or a GUID: 8-4-4-4-12 hexadecimal digits",
    .message = "mvid is not a valid GUID ({0 byte|bytes})",
    .why = "Mono.Profiler.Log throws a FormatException and cannot read the file at all",
    .spec = "3.7 TYPE_METADATA (2)",
    .since = "0.1.0",
};

void EventReader::check_mvid(const Reading& reading, const Step& step) {
    const uint64_t length = reading.values.number[step.slot];
    if (length != 0 && !is_guid(reading, step)) with_.findings.add<kBadMvid>(place(reading, step), {length});
}

constexpr Rule kBadAotId{
    .id = "mlpd/bad-aot-id",
    .severity = Severity::error,
    .statement = "the id of AOT_ID is a GUID: 8-4-4-4-12 hexadecimal digits",
    .message = "the id is not a valid GUID ({0 byte|bytes})",
    .why = "Mono.Profiler.Log throws a FormatException and cannot read the file at all",
    .spec = "3.6.10 TYPE_META (10)",
    .since = "0.1.0",
};

void EventReader::check_aot_id(const Reading& reading, const Step& step) {
    const uint64_t length = reading.values.number[step.slot];
    if (!is_guid(reading, step)) with_.findings.add<kBadAotId>(place(reading, step), {length});
}

bool EventReader::is_guid(const Reading& reading, const Step& step) {
    return is_guid(reading.values.at[step.slot], reading.values.number[step.slot]);
}

// 8-4-4-4-12 hexadecimal digits. A string that ends above the record limit of its event need not be in hand any more,
// nor one for which memory was short: it passes, and the limit is reported.
bool EventReader::is_guid(uint64_t offset, uint64_t length) {
    constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (length != shape.size()) return false;
    const bool is_above_record_limit = offset + length - event_.offset > with_.context.limits.record;
    if (is_above_record_limit || offset < data_at_) {
        const Limits& limits = with_.context.limits;
        with_.context.limit_hit = true;
        with_.findings.add({.rule = &kTrackingLimit,
                            .place = event_.op(),
                            .numbers = {is_above_record_limit ? limits.record : limits.memory},
                            .hint = is_above_record_limit ? "record limit: not every string of this event is checked"
                                                          : "memory limit: not every string of this event is checked"});
        return true;
    }
    const uint8_t* text = data_ + (offset - data_at_);
    for (size_t i = 0; i < shape.size(); ++i) {
        const auto lower = static_cast<uint8_t>(text[i] | 0x20);
        const bool is_digit = ('0' <= text[i] && text[i] <= '9') || ('a' <= lower && lower <= 'f');
        if (shape[i] == 'x' ? !is_digit : text[i] != '-') return false;
    }
    return true;
}

// --- fields that depend on others ----------------------------------------------------------------------------

constexpr Rule kJitCodeSizeMismatch{
    .id = "mlpd/jit-code-size-mismatch",
    .severity = Severity::note,
    .statement = "a method without code has code size 0",
    .message = "code_size is {0}, but code is null",
    .why = "readers that look up addresses put the range at address 0",
    .spec = "3.6.3 TYPE_METHOD (3)",
    .since = "0.1.0",
};

void EventReader::check_code_size(const Reading& reading, const Step& step) {
    const uint64_t size = as_int(reading.values.number[step.slot]);
    if (size != 0 && reading.values.number[slot_of(kJit, "code")] == 0)
        with_.findings.add<kJitCodeSizeMismatch>(place(reading, step), {size});
}

constexpr Rule kHeapRefOffsetRange{
    .id = "mlpd/heap-ref-offset-range",
    .severity = Severity::warning,
    .statement = "the references of an object are inside it",
    .message = "the reference is {0} bytes after the start of an object of {1}",
    .why = "readers that name the field of a reference find none; the size or the offsets are wrong",
    .spec = "3.6.6 TYPE_HEAP (6)",
    .since = "0.1.0",
};

// Offsets are written as differences. The first one outside the object has a finding.
void EventReader::check_offset(const Reading& reading, const Step& step) {
    constexpr uint8_t size_slot = slot_of(kHeapObject, "size");
    const uint64_t size = as_int(values_.number[size_slot]);
    offset_sum_ += reading.values.number[step.slot];
    if (size == 0 || offset_sum_ < size || offset_is_reported_) return;
    offset_is_reported_ = true;
    with_.findings.add<kHeapRefOffsetRange>(place(reading, step), {offset_sum_, size});
}

// --- what the session takes before the event is complete -----------------------------------------------------

void EventReader::use_frame(const Reading& reading, const Step& step) {
    const uint64_t method = reading.values.number[step.slot];
    if (!with_.session.step_use(method)) with_.session.use(method, place(reading, step));
}

void EventReader::take_reference(const Reading& reading, const Step& step) {
    with_.session.heap_reference(reading.values.number[step.slot], place(reading, step));
}

void EventReader::take_root(const Reading& reading, const Step& step) {
    with_.session.heap_root(reading.values.number[step.slot], place(reading, step));
}

void EventReader::describe_counter(const Reading& reading, const Step& step) {
    with_.session.counter_described(reading.values.number[step.slot],
                                    reading.values.number[slot_of(kDescriptor, "type")], place(reading, step));
}

// Index 0 ends the list.
void EventReader::sample_counter(const Reading& reading, const Step& step) {
    const uint64_t index = reading.values.number[step.slot];
    if (index != 0) with_.session.counter_sampled(index, place(reading, step));
}

void EventReader::check_sample_type(const Reading& reading, const Step& step) {
    with_.session.counter_sample_type(reading.values.number[slot_of(kSample, "index")],
                                      reading.values.number[step.slot], place(reading, step));
}

constinit const RuleList kFieldCheckRules =
    rules<&kPointerWidthOverflow, &kTimeDeltaWraps, &kTimeOverflow, &kInvalidUtf8, &kEmptyName, &kBadMvid, &kBadAotId,
          &kJitCodeSizeMismatch, &kHeapRefOffsetRange>;

}  // namespace tracelint::mlpd
