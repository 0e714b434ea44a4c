// mlpd: reads the events of a buffer.
#include "grammars/mlpd/walk_events.hpp"

#include "grammars/mlpd/checks/values.hpp"
#include "grammars/mlpd/lane.hpp"
#include "grammars/mlpd/records_events.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::mlpd {

// mlpd, section 3.6: the meaning of an event byte in a data version.

constexpr Rule kUnknownEventType = framing({
    .id = "mlpd/unknown-event-type",
    .statement = "the low four bits of an event byte are a known type",
    .message = "unknown event type {1} in event byte {0x}",
    .why = "mprof-report says 'unhandled profiler event' and prints no report at all, Mono.Profiler.Log fails",
    .spec = "3.6 Events",
});

constexpr Rule kUnknownEventSubtype = framing({
    .id = "mlpd/unknown-event-subtype",
    .statement = "the high four bits of an event byte are a subtype that its type has",
    .message = "event type {1} has no subtype {2} (event byte {0x})",
    .why = "mprof-report loops forever on heap and coverage events, Mono.Profiler.Log fails",
    .spec = "3.6 Events",
});

OpMeaning meaning_of(uint8_t op, uint16_t version) {
    if (type_of(op) == kMonitorType && version <= kOldMonitor.last_version) {
        const bool has_flag = (subtype_of(op) & kFlag) != 0;
        return {.record = &kOldMonitor, .flag_is_unwritten = has_flag && op != kOldMonitorBacktrace};
    }
    bool type_known = false, known = false;
    for (const EventRow& row : kEvents) {
        type_known = type_known || type_of(row.op) == type_of(op);
        if (row.op != op) continue;
        known = true;
        const bool is_foreign = !row.outlives.empty() && version > row.last;
        if (version < row.first || (version > row.last && !is_foreign)) continue;
        return {.record = row.record,
                .is_metadata = row.record == nullptr,
                .flag_is_unwritten = row.flag_is_unwritten,
                .foreign_hint = is_foreign ? row.outlives : std::string_view()};
    }
    if (known) return {.refusal = &kEventNotInVersion, .numbers = {op, version}};
    return {.refusal = type_known ? &kUnknownEventSubtype : &kUnknownEventType,
            .numbers = {op, type_of(op), subtype_of(op)}};
}

const Record* metadata_record(uint64_t mtype, uint16_t version) {
    for (const Record* record : kMetadataRecords)
        if (record->tag == metadata_tag(mtype) && record->exists_in(version)) return record;
    return nullptr;
}

const MetadataRow* metadata_row(const Record& record, uint8_t op, uint16_t version) {
    const uint8_t x = subtype_of(op) & (kFlag - 1);
    for (const MetadataRow& row : kMetadataEvents) {
        const bool exists = row.first <= version && (version <= row.last || !row.outlives.empty());
        if (row.record == &record && row.x == x && exists) return &row;
    }
    return nullptr;
}

// mlpd, section 4.2: from bytes to fields.

constexpr std::string_view kReadersAtTheEnd =
    "mprof-report reads past the end of the buffer, Mono.Profiler.Log fails at the end of the stream";

namespace {

constexpr std::ptrdiff_t kFrontRoom = 1 + kShortRoom + 1;  // bytes of the front of metadata: op, time, mtype
constexpr uint64_t kMetadataTypes = 8;                     // values of mtype, with 0

}  // namespace

EventReader::EventReader(const Surroundings& with, const HeaderFacts& header, WalkMode mode)
    : with_(with), version_(header.version), mode_(mode) {
    layout_.word_size = header.word_size;
    layout_.version = with.plans.version();
    if (mode == WalkMode::fast) open_lanes();
}

EventReader::How EventReader::read(const BufferFrame& buffer, uint64_t& index) {
    layout_.bases = {0, buffer.ptr_base, buffer.obj_base, buffer.method_base};
    time_ = buffer.time_base;
    anchor_ = data_at_ = buffer.begin;
    data_ = cursor_ = stop_ = nullptr;
    end_ = buffer.end;
    cut_ = false;
    event_.index = index;
    How how = How::complete;
    while (how == How::complete) {
        event_.offset = anchor_ = at();
        event_.record = &kUnknownEvent;
        if (!has(1)) break;
        if (lanes_[*cursor_] != Lane::none) {
            const uint8_t* const before = cursor_;
            run_lane();
            if (cursor_ != before) continue;
        }
        if (with_.session.searches_calls()) look_ahead();
        if (!step()) how = How::failed;
    }
    if (cut_) how = How::cut;
    index = event_.index;
    return how;
}

// Makes `bytes` more available. False: the buffer or the file ends before that.
bool EventReader::refill(size_t bytes) {
    const uint64_t here = at();
    if (cut_ || data_at_ + static_cast<uint64_t>(stop_ - data_) >= end_) return false;
    // If the buffer turns out to be cut, the search for the next one begins at the event (section 4.1).
    const uint64_t whole = std::min(here - anchor_ + bytes, end_ - anchor_);
    if (here - anchor_ > with_.context.limits.record || with_.window.affordable(whole) < whole) anchor_ = here;
    const uint64_t wanted = std::min(here - anchor_ + bytes, end_ - anchor_);
    const Bytes in_hand = with_.window.view(anchor_, static_cast<size_t>(wanted));
    cut_ = in_hand.size() < wanted;
    data_ = in_hand.data();
    data_at_ = anchor_;
    cursor_ = data_ + std::min<uint64_t>(here - anchor_, in_hand.size());
    stop_ = data_ + std::min<uint64_t>(in_hand.size(), end_ - anchor_);
    return static_cast<size_t>(stop_ - cursor_) >= bytes;
}

// One event. False: a framing fault, or the end of the file.
bool EventReader::step() {
    const uint8_t op = *cursor_;
    if (const Op* kind = straight_op(op)) {
        event_.record = kind->plan->record;
        if (!(this->*kind->code)(*kind->plan)) return false;
        complete(*kind, op);
        return true;
    }
    const Op* kind = &op_of(op);
    if (kind->meaning.refusal != nullptr) return fail(*kind->meaning.refusal, event_.op(), kind->meaning.numbers);
    values_.present = 0;
    event_.record = kind->plan->record;
    size_t from = 0;
    if (kind->meaning.is_metadata) {
        if (!fields({*kind->plan, values_}, 0)) return false;
        from = kind->plan->steps.size();
        kind = metadata(op, *kind->plan);
        if (kind == nullptr) return false;
        event_.record = kind->plan->record;
    }
    if (!fields({*kind->plan, values_}, from)) return false;
    complete(*kind, op);
    return true;
}

EventReader::Op& EventReader::op_of(uint8_t op) {
    Op& kind = ops_[op];
    if (kind.known) return kind;
    kind.known = true;
    kind.meaning = meaning_of(op, version_);
    if (kind.meaning.refusal != nullptr) return kind;
    kind.plan = &with_.plans.of(kind.meaning.is_metadata ? kMetadata : *kind.meaning.record);
    if (mode_ == WalkMode::fast) kind.code = straight_code(*kind.plan->record, layout_.version);
    return kind;
}

// The meaning of metadata of this type, which must be below 8. Without a plan: there is no such event.
EventReader::Op& EventReader::metadata_of(uint8_t op, uint64_t mtype) {
    Op& kind = metadata_ops_[static_cast<size_t>(subtype_of(op) / 2) << 3 | mtype];
    if (kind.known) return kind;
    kind.known = true;
    const Record* record = metadata_record(mtype, version_);
    const MetadataRow* row = record == nullptr ? nullptr : metadata_row(*record, op, version_);
    if (row == nullptr) return kind;
    kind.meaning = op_of(op).meaning;
    if (row->last < version_) kind.meaning.foreign_hint = row->outlives;
    kind.plan = &with_.plans.of(*record);
    if (mode_ == WalkMode::fast) kind.code = straight_code(*record, layout_.version);
    return kind;
}

// How to read the event at the cursor by straight code; null: not at all. For metadata this looks ahead at its type,
// and leaves an unusual time before it to the plan.
const EventReader::Op* EventReader::straight_op(uint8_t op) {
    const Op& kind = op_of(op);
    if (kind.code != nullptr) return &kind;
    if (!kind.meaning.is_metadata || stop_ - cursor_ < kFrontRoom) return nullptr;
    uint64_t passed = 0;
    const uint8_t* const mtype = read_short<false>(cursor_ + 1, passed);
    if (mtype == nullptr || any_negative(time_ + passed) || *mtype >= kMetadataTypes) return nullptr;
    const Op& of_type = metadata_of(op, *mtype);
    return of_type.code == nullptr ? nullptr : &of_type;
}

constexpr Rule kUnknownMetadataType = framing({
    .id = "mlpd/unknown-metadata-type",
    .statement = "mtype is one that the data version has",
    .message = "mtype {0} does not exist in data version {1}",
    .why = "mprof-report silently loses sync, Mono.Profiler.Log throws an exception",
    .spec = "3.7 TYPE_METADATA (2)",
});

constexpr Rule kMetadataSubtypeMismatch = framing({
    .id = "mlpd/metadata-subtype-mismatch",
    .statement = "the subtype of a metadata event is one that its mtype has",
    .message = "mtype {1} has no event with event byte {0x} in data version {2}",
    .why = "readers parse the following bytes as fields that are not there",
    .spec = "3.7 TYPE_METADATA (2)",
});

// The front of a metadata event was read: its mtype decides how it continues (section 3.7). Null: a framing fault.
const EventReader::Op* EventReader::metadata(uint8_t op, const Plan& front) {
    constexpr uint8_t slot = slot_of(kMetadata, "mtype");
    const uint64_t mtype = values_.number[slot];
    if (metadata_record(mtype, version_) == nullptr) {
        fail<kUnknownMetadataType>(place({front, values_}, front.steps[slot]), {mtype, version_});
        return nullptr;
    }
    const Op& kind = metadata_of(op, mtype);
    if (kind.plan != nullptr) return &kind;
    fail<kMetadataSubtypeMismatch>(event_.op(), {op, mtype, version_});
    return nullptr;
}

// The steps of a record from index `from` on.
bool EventReader::fields(const Reading& reading, size_t from) {
    Values& values = reading.values;
    for (size_t i = from; i < reading.plan.steps.size(); ++i) {
        const Step& step = reading.plan.steps[i];
        if (step.decides != Step::kAlways &&
            (!values.has(step.decides) || !step.field->condition.holds_for(values.number[step.decides])))
            continue;
        if (!field(reading, step)) return false;
        if (step.act != nullptr) (this->*step.act)(reading, step);
    }
    return true;
}

bool EventReader::field(const Reading& reading, const Step& step) {
    reading.values.present |= 1u << step.slot;
    reading.values.at[step.slot] = at();
    switch (step.field->type) {
        case Type::uleb128:
        case Type::sleb128: return leb(reading, step);
        case Type::string: return text(reading, step);
        case Type::list: return list(reading, step);
        default: return fixed(reading, step);
    }
}

bool EventReader::fixed(const Reading& reading, const Step& step) {
    const unsigned width = step.field->width;
    if (!has(width)) return overrun();
    reading.values.number[step.slot] = read_fixed(*step.field, layout_, cursor_);
    reading.values.length[step.slot] = width;
    cursor_ += width;
    return !step.has_checks || check_table(reading, step);
}

constexpr Rule kLebTruncated = framing({
    .id = "mlpd/leb128-truncated",
    .statement = "a LEB128 number ends inside its buffer",
    .message = "the buffer ends inside this number, after {0 byte|bytes} of it",
    .why = kReadersAtTheEnd,
    .spec = "3.9 LEB128 numbers; 4.2 Buffer",
});

constexpr Rule kLebTooLong = framing({
    .id = "mlpd/leb128-too-long",
    .statement = "a LEB128 number has at most 10 bytes",
    .message = "this number continues after its tenth byte",
    .why = "readers shift beyond 64 bits, so the value is undefined",
    .spec = "3.9 LEB128 numbers",
});

constexpr Rule kLebOverflow = framing({
    .id = "mlpd/leb128-overflow",
    .statement = "a LEB128 number fits in 64 bits",
    .message = "this number does not fit in 64 bits",
    .why = "readers drop the excess bits and continue with another value",
    .spec = "3.9 LEB128 numbers",
});

constexpr Rule kLebNonCanonical{
    .id = "mlpd/leb128-non-canonical",
    .severity = Severity::warning,
    .statement = "a LEB128 number has no more bytes than it needs",
    .message = "this number takes {0} bytes, but fewer would do",
    .why = "readers accept it, but no runtime writes it: the bytes may be misread or come from another writer",
    .spec = "3.9 LEB128 numbers",
    .since = "0.1.0",
};

bool EventReader::leb(const Reading& reading, const Step& step) {
    has(kLongestLeb);
    const Field& described = *step.field;
    const LebNumber number = read_leb({cursor_, stop_}, described.type == Type::sleb128);
    reading.values.length[step.slot] = number.length;
    switch (number.fault) {
        case LebNumber::Fault::none: break;
        case LebNumber::Fault::cut:
            if (number.length == 0) return overrun();
            return fail<kLebTruncated>(place(reading, step), {number.length});
        case LebNumber::Fault::too_long: return fail(kLebTooLong, place(reading, step));
        case LebNumber::Fault::overflow: return fail(kLebOverflow, place(reading, step));
    }
    cursor_ += number.length;
    const uint64_t value = resolved(described, layout_, number.value);
    if (described.is_running) layout_.bases[described.base] = value;
    reading.values.number[step.slot] = value;
    if (!number.is_canonical) with_.findings.add<kLebNonCanonical>(place(reading, step), {number.length});
    if (described.base != 0 && layout_.word_size == 4) check_distance(reading, step, number.value);
    // The checks of a count wait for its list, as a count that exceeds the buffer comes first.
    return !step.has_checks || step.counts || check_table(reading, step);
}

constexpr Rule kUnterminatedString = framing({
    .id = "mlpd/unterminated-string",
    .statement = "a string ends with a NUL inside its buffer",
    .message = "the string has no NUL in the {0 byte|bytes} up to the end of the buffer",
    .why = kReadersAtTheEnd,
    .spec = "3.10 Strings",
});

bool EventReader::text(const Reading& reading, const Step& step) {
    const uint64_t begin = at();
    if (!has(1)) return overrun();
    TextJudge judge;
    for (;;) {
        const Bytes bytes(cursor_, stop_);
        const uint64_t nul = length_to_nul(bytes);
        if (nul != kNone) {
            judge.take(bytes.first(static_cast<size_t>(nul)), true);
            cursor_ += nul + 1;
            break;
        }
        cursor_ += judge.take(bytes, false);
        if (has(static_cast<size_t>(stop_ - cursor_) + 1)) continue;
        Place place_of_it = place(reading, step);
        place_of_it.length = end_ - begin;
        return fail<kUnterminatedString>(place_of_it, {end_ - begin});
    }
    // A buffer has no room for strings of more than 4 GiB.
    reading.values.length[step.slot] = static_cast<uint32_t>(at() - begin);
    reading.values.number[step.slot] = at() - begin - 1;
    check_utf8(reading, step, judge.ill_formed());
    return true;
}

constexpr Rule kCountExceedsBuffer = framing({
    .id = "mlpd/count-exceeds-buffer",
    .statement = "the elements of a list fit into the rest of the buffer",
    .message =
        "a list of {0 element|elements}, {1 byte|bytes} or more each, exceeds the {2 byte|bytes} left in the buffer",
    .why = "readers loop and allocate by this count: mprof-report crashes or never ends, Mono.Profiler.Log runs out of "
           "memory",
    .spec = "3.11 Lists",
});

// Before the elements: their number, kNone if the list ends with zero.
bool EventReader::begin_list(const Reading& reading, const Step& step, uint64_t& count) {
    count = kNone;
    if (step.counter_step != Step::kAlways) {
        const Step& counter = reading.plan.steps[step.counter_step];
        const uint64_t left = end_ - at(), minimum = step.element->minimum;
        count = reading.values.number[step.counter];
        // Usually without a division.
        if (count <= 0xffffffff ? count * minimum > left : count > left / minimum)
            return fail<kCountExceedsBuffer>(place(reading, counter), {count, minimum, left});
        if (counter.has_checks) check_table(reading, counter);
    }
    offset_sum_ = 0;
    offset_is_reported_ = false;
    return true;
}

bool EventReader::list(const Reading& reading, const Step& step) {
    uint64_t count = 0;
    if (!begin_list(reading, step, count)) return false;
    for (uint64_t i = 0; i < count; ++i) {
        element_.present = 0;
        if (!fields({*step.element, element_, step.field, i}, 0)) return false;
        if (step.field->ends_with_zero && element_.number[step.element->steps[0].slot] == 0) break;
    }
    return true;
}

// A framing fault (section 4.2). The walk reports it, unless the file ends before the buffer does.
bool EventReader::fail(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
    fault_ = {.rule = &rule, .place = place};
    std::copy_n(numbers.begin(), std::min(numbers.size(), fault_.numbers.size()), fault_.numbers.begin());
    fault_.is_overridden = with_.findings.has_error();
    return false;
}

constexpr Rule kEventOverrunsBuffer = framing({
    .id = "mlpd/event-overruns-buffer",
    .statement = "an event ends inside its buffer",
    .message = "the buffer ends inside this event, {0 byte|bytes} after its start",
    .why = kReadersAtTheEnd,
    .spec = "4.2 Buffer",
});

// The buffer ends where a field should begin, or inside one of fixed size.
bool EventReader::overrun() {
    Spot event = event_;
    event.length = end_ - event_.offset;
    return fail<kEventOverrunsBuffer>(event.place(), {event.length});
}

constinit const RuleList kWalkEventsRules =
    rules<&kUnknownEventType, &kUnknownEventSubtype, &kEventNotInVersion, &kUnknownMetadataType,
          &kMetadataSubtypeMismatch, &kLebTruncated, &kLebTooLong, &kLebOverflow, &kLebNonCanonical,
          &kUnterminatedString, &kCountExceedsBuffer, &kEventOverrunsBuffer>;

}  // namespace tracelint::mlpd
