// mlpd, section 4.2: from bytes to fields.
#include "grammars/mlpd/events/event_reader.hpp"

#include "grammars/mlpd/text_judge.hpp"
#include "validator/leb128.hpp"

namespace tracelint::mlpd {

EventReader::EventReader(const Surroundings& with, const HeaderFacts& header, uint16_t layout_version, WalkMode mode)
    : with_(with), version_(header.version), plans_(layout_version) {
    layout_.word_size = header.word_size;
    layout_.version = layout_version;
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
        if (!step()) how = How::failed;
    }
    if (cut_) how = How::cut;
    index = event_.index;
    return how;
}

// Brings `bytes` more into hand. False: the buffer or the file ends before.
bool EventReader::refill(size_t bytes) {
    const uint64_t here = at();
    if (cut_ || data_at_ + static_cast<uint64_t>(stop_ - data_) >= end_) return false;
    // Where a buffer turns out to be cut, the search for the next one begins at the event (4.1).
    if (here - anchor_ > with_.context.limits.record) anchor_ = here;
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
    Op& kind = op_of(op);
    Plan* plan = kind.plan;
    if (kind.meaning.refusal != nullptr)
        return fail(*kind.meaning.refusal, event_.op(),
                    kind.meaning.refusal == &kEventNotInVersion
                        ? std::initializer_list<uint64_t>{op, version_}
                        : std::initializer_list<uint64_t>{op, type_of(op), subtype_of(op)});
    values_.present = 0;
    event_.record = plan->record;
    size_t from = 0;
    if (kind.meaning.is_metadata) {
        if (!fields({*plan, values_}, 0)) return false;
        from = plan->steps.size();
        if (!metadata(op, plan)) return false;
        event_.record = plan->record;
    }
    if (!fields({*plan, values_}, from)) return false;
    complete(*plan, op);
    return true;
}

EventReader::Op& EventReader::op_of(uint8_t op) {
    Op& kind = ops_[op];
    if (kind.known) return kind;
    kind.known = true;
    kind.meaning = meaning_of(op, version_);
    if (kind.meaning.refusal == nullptr)
        kind.plan = plan_of(kind.meaning.is_metadata ? kMetadata : *kind.meaning.record);
    return kind;
}

Plan* EventReader::plan_of(const Record& record) {
    Plan& plan = plans_.of(record);
    plan.effect = effect_of(record);
    return &plan;
}

// The front of a metadata event was read: its type decides how it goes on (3.7).
bool EventReader::metadata(uint8_t op, Plan*& plan) {
    constexpr uint8_t slot = slot_of(kMetadata, "mtype");
    const uint64_t mtype = values_.number[slot];
    const Record* record = metadata_record(mtype, version_);
    if (record == nullptr) {
        const Step& step = plan->steps[slot];
        return fail(kUnknownMetadataType, place({*plan, values_}, step), {mtype, version_});
    }
    if (metadata_row(*record, op, version_) == nullptr)
        return fail(kMetadataSubtypeMismatch, event_.op(), {op, mtype, version_});
    plan = plan_of(*record);
    return true;
}

// The steps of a record from number `from` on.
bool EventReader::fields(const Reading& reading, size_t from) {
    Values& values = reading.values;
    for (size_t i = from; i < reading.plan.steps.size(); ++i) {
        const Step& step = reading.plan.steps[i];
        if (step.decides != Step::kAlways &&
            (!values.has(step.decides) || !step.field->condition.holds_for(values.number[step.decides])))
            continue;
        if (!field(reading, step)) return false;
        if (step.special != Special::none) check_special(reading, step);
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

bool EventReader::leb(const Reading& reading, const Step& step) {
    has(kLongestLeb);
    const Field& described = *step.field;
    const LebNumber number = read_leb({cursor_, stop_}, described.type == Type::sleb128);
    reading.values.length[step.slot] = number.length;
    switch (number.fault) {
        case LebNumber::Fault::none: break;
        case LebNumber::Fault::cut:
            if (number.length == 0) return overrun();
            return fail(kLebTruncated, place(reading, step), {number.length});
        case LebNumber::Fault::too_long: return fail(kLebTooLong, place(reading, step));
        case LebNumber::Fault::overflow: return fail(kLebOverflow, place(reading, step));
    }
    cursor_ += number.length;
    const uint64_t value = resolved(described, layout_, number.value);
    if (described.is_running) layout_.bases[described.base] = value;
    reading.values.number[step.slot] = value;
    if (!number.is_canonical) with_.findings.add(kLebNonCanonical, place(reading, step), {number.length});
    if (described.base != 0 && layout_.word_size == 4) check_distance(reading, step, number.value);
    // What is demanded of a count waits for the list (rule 41).
    return !step.has_checks || step.counts || check_table(reading, step);
}

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
        return fail(kUnterminatedString, place_of_it, {end_ - begin});
    }
    // Texts of more than 4 GiB do not fit into a buffer.
    reading.values.length[step.slot] = static_cast<uint32_t>(at() - begin);
    reading.values.number[step.slot] = at() - begin - 1;
    check_text(reading, step, judge.ill_formed());
    return true;
}

bool EventReader::list(const Reading& reading, const Step& step) {
    uint64_t count = kNone;
    if (step.counter_step != Step::kAlways) {
        const Step& counter = reading.plan.steps[step.counter_step];
        const uint64_t left = end_ - at(), minimum = step.element->minimum;
        count = reading.values.number[step.counter];
        if (count > left / minimum) return fail(kCountExceedsBuffer, place(reading, counter), {count, minimum, left});
        if (counter.has_checks) check_table(reading, counter);
    }
    offset_sum_ = 0;
    offset_said_ = false;
    for (uint64_t i = 0; i < count; ++i) {
        element_.present = 0;
        if (!fields({*step.element, element_, step.field, i}, 0)) return false;
        if (step.field->ends_with_zero && element_.number[step.element->steps[0].slot] == 0) break;
    }
    return true;
}

// A framing fault (4.2).
bool EventReader::fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
    fault_ = {.rule = &rule, .place = place};
    std::copy_n(numbers.begin(), std::min(numbers.size(), fault_.numbers.size()), fault_.numbers.begin());
    fault_.is_overridden = with_.findings.has_error();
    return false;
}

// The buffer ends where a field should begin, or inside one of fixed size.
bool EventReader::overrun() {
    Spot event = event_;
    event.length = end_ - event_.offset;
    return fail(kEventOverrunsBuffer, event.place(), {event.length});
}

void EventReader::count(std::vector<std::pair<std::string_view, uint64_t>>& statistics) const {
    for (const Plan* plan : plans_.made())
        if (plan->count != 0) statistics.emplace_back(plan->record->name, plan->count);
}

}  // namespace tracelint::mlpd
