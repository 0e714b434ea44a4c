// mlpd, section 5: the rules that hold for single fields, checked as they are read.
#include "grammars/mlpd/events/event_reader.hpp"
#include "grammars/mlpd/events/narrow_numbers.hpp"
#include "grammars/mlpd/values.hpp"

namespace tracelint::mlpd {
namespace {

// Where a rule has two severities, the values of the milder one.
struct MilderValue {
    const Rule* rule;
    uint64_t value;
};
constexpr MilderValue kMilderValues[] = {
    {&kGcGenerationRange, gc::kLastGeneration}, {&kExceptionClauseTypeRange, 3}, {&kHeapGenerationRange, 2}};

bool is_milder(const Rule& rule, uint64_t value, const Record& record) {
    if (&rule == &kNullMethod) return &record == &kSampleFrame;
    return std::ranges::any_of(kMilderValues,
                               [&](const MilderValue& m) { return m.rule == &rule && m.value == value; });
}

constexpr uint64_t kLastTime = uint64_t{1} << 63;  // rules 29 and 30: the first that is too late

}  // namespace

// F.
Place EventReader::place(const Reading& reading, const Step& step) const {
    return {reading.values.at[step.slot],
            reading.values.length[step.slot],
            reading.plan.record,
            step.field,
            reading.list,
            event_.index,
            reading.element};
}

// What the table demands. False: it is what the framing stands on.
bool EventReader::check_table(const Reading& reading, const Step& step) {
    const uint64_t value = reading.values.number[step.slot];
    for (const Check& check : step.field->checks) {
        if (check.rule == nullptr || obeys(*step.field, check, value)) continue;
        if (check.rule == &kCounterTypeRange) return fail(kCounterTypeRange, place(reading, step), {value});
        // 3.8: descriptors of performance counters are written without a variance.
        if (step.special == Special::variance && value == 0 &&
            reading.values.number[slot_of(kDescriptor, "section")] == kPerformanceCounters)
            continue;
        if (is_milder(*check.rule, value, *reading.plan.record))
            with_.findings.add_overridden(*check.rule, place(reading, step), {value});
        else
            with_.findings.add(*check.rule, place(reading, step), {value});
    }
    return true;
}

// Rule 28.
void EventReader::check_distance(const Reading& reading, const Step& step, uint64_t distance) {
    if (!fits_32_bits(distance)) with_.findings.add(kPointerWidthOverflow, place(reading, step), {distance});
}

// Rules 29 and 30; and the time goes on.
void EventReader::check_time(const Reading& reading, const Step& step) {
    const uint64_t delta = reading.values.number[step.slot], before = time_;
    time_ += delta;
    if (delta >= kLastTime) {
        if (!reading.plan.may_go_back) with_.findings.add(kTimeDeltaWraps, place(reading, step), {delta});
        return;
    }
    if (before < kLastTime && time_ >= kLastTime)
        with_.findings.add(kTimeOverflow, place(reading, step), {delta, before});
}

// Rules 39, 40, 95 and 96.
void EventReader::check_text(const Reading& reading, const Step& step, uint64_t ill_formed) {
    const uint64_t length = reading.values.number[step.slot];
    const Place where = place(reading, step);
    if (ill_formed != kNone) {
        Place byte = where;
        byte.offset += ill_formed;
        byte.length = 1;
        with_.findings.add(kInvalidUtf8, byte, {ill_formed});
    }
    const bool may_be_empty = step.special == Special::guid_or_empty;
    if (step.special == Special::name && length == 0) with_.findings.add(kEmptyName, where);
    if (step.special == Special::guid && !is_guid(where.offset, length)) with_.findings.add(kBadAotId, where, {length});
    if (may_be_empty && length != 0 && !is_guid(where.offset, length)) with_.findings.add(kBadMvid, where, {length});
}

// 8-4-4-4-12 hexadecimal digits. Those that are not in hand any more, in an event of more bytes than may be kept, are
// taken for such.
bool EventReader::is_guid(uint64_t offset, uint64_t length) const {
    constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (length != shape.size()) return false;
    if (offset < data_at_) return true;
    const uint8_t* text = data_ + (offset - data_at_);
    for (size_t i = 0; i < shape.size(); ++i) {
        const auto lower = static_cast<uint8_t>(text[i] | 0x20);
        const bool is_digit = ('0' <= text[i] && text[i] <= '9') || ('a' <= lower && lower <= 'f');
        if (shape[i] == 'x' ? !is_digit : text[i] != '-') return false;
    }
    return true;
}

// What is special about a field, once it was read.
void EventReader::check_special(const Reading& reading, const Step& step) {
    Session& session = with_.session;
    const Values& values = reading.values;
    const uint64_t value = values.number[step.slot];
    switch (step.special) {
        case Special::time: return check_time(reading, step);
        case Special::jit_size:
            if (as_int(value) != 0 && values.number[slot_of(kJit, "code")] == 0)
                with_.findings.add(kJitCodeSizeMismatch, place(reading, step), {as_int(value)});
            return;
        case Special::reference_offset: return check_offset(reading, step);
        case Special::reference: return session.heap_reference(value, place(reading, step));
        case Special::frame:
            if (!session.step_use(value)) session.use(value, place(reading, step));
            return;
        case Special::description:
            return session.counter_described(value, values.number[slot_of(kDescriptor, "type")], place(reading, step));
        case Special::sample_index:
            if (value != 0) session.counter_sampled(value, place(reading, step));
            return;
        case Special::sample_type:
            return session.counter_sample_type(values.number[slot_of(kSample, "index")], value, place(reading, step));
        default: return;
    }
}

// Rule 70: offsets are written as differences.
void EventReader::check_offset(const Reading& reading, const Step& step) {
    constexpr uint8_t size_slot = slot_of(kHeapObject, "size");
    const uint64_t size = as_int(values_.number[size_slot]);
    offset_sum_ += reading.values.number[step.slot];
    if (size == 0 || offset_sum_ < size || offset_said_) return;
    offset_said_ = true;
    with_.findings.add(kHeapRefOffsetRange, place(reading, step), {offset_sum_, size});
}

}  // namespace tracelint::mlpd
