// pprof, section 4: reads the messages of a profile, and hands what they hold to the checks.
#include "grammars/pprof/checks/messages.hpp"

#include "grammars/pprof/machine.hpp"

namespace tracelint::pprof {

using protobuf::Fault, protobuf::WireField, protobuf::WireType;

namespace {

constexpr uint32_t kMessages = 8;  // more than there are types of them

uint64_t key_of(const Message& message, uint64_t number) {
    const Message* const types[] = {&kProfile,        &kValueType, &kSampleMessage,   &kLabel,
                                    &kMappingMessage, &kLine,      &kLocationMessage, &kFunctionMessage};
    static_assert(std::size(types) == kMessages);
    const auto type = std::find(std::begin(types), std::end(types), &message) - std::begin(types);
    return number * kMessages + static_cast<uint64_t>(type);
}

// The rule that a fault of a field inside a message breaks.
const Rule& nested_rule(Fault fault) {
    switch (fault) {
        case Fault::too_long: return kVarintTooLong;
        case Fault::overflow: return kVarintOverflow;
        case Fault::wire_type_invalid: return kWireTypeInvalid;
        case Fault::group: return kWireTypeGroup;
        case Fault::number_zero: return kFieldNumberZero;
        case Fault::number_too_large: return kFieldNumberTooLarge;
        case Fault::prefix_too_long: return kPrefixTooLong;
        case Fault::type_mismatch: return kWireTypeMismatch;
        default: return kFieldExceedsMessage;
    }
}

}  // namespace

void Messages::report_fault(const Rule& rule, const WireField& field, Part place, uint64_t record) {
    certainty_.has_wire_fault = true;
    Diagnostic finding{.rule = &rule, .place = place_of(mark_of(place, record), field.member)};
    finding.place.length = place.size;
    finding.text = field.member != nullptr ? field.member->path : "that begins here";
    const auto wire = static_cast<uint64_t>(field.wire);
    switch (field.fault) {
        case Fault::cut:
        case Fault::number_zero:
        case Fault::prefix_too_long: finding.numbers = {place.size}; break;
        case Fault::number_too_large: finding.numbers = {field.number}; break;
        case Fault::type_mismatch:
            finding.numbers = {wire, static_cast<uint64_t>(field.member->own_wire_type())};
            break;
        default: finding.numbers = {wire}; break;
    }
    context_.report.add(finding);
}

void Messages::fault(const Contents&, const WireField& field, Part place) {
    report_fault(nested_rule(field.fault), field, place, record_);
}

void Messages::item_fault(const Contents&, const Member& member, const LebNumber& read, Part place) {
    certainty_.has_wire_fault = true;
    const bool is_cut = read.fault == LebNumber::Fault::cut;
    Diagnostic finding{.rule = is_cut                                     ? &kPackedTruncated
                               : read.fault == LebNumber::Fault::too_long ? &kVarintTooLong
                                                                          : &kVarintOverflow,
                       .place = place_of(mark_of(place, record_), &member)};
    finding.text = member.path;
    finding.place.length = is_cut ? place.size : kLongestLeb;
    context_.report.add(finding);
}

void Messages::report_padding(Part part, size_t fewest, uint64_t record) {
    aggregates_.add(kVarintOverlong, place_of(mark_of(part, record)), {part.size, fewest});
}

void Messages::report_unknown(const Message& message, uint64_t number, Part place, uint64_t record) {
    if (context_.limit_hit) return;
    Unknown* const unknown = unknown_.find_or_add(key_of(message, number));
    if (unknown == nullptr) return note_limit(context_, place.at);
    if (unknown->fields++ != 0) return;
    unknown->message = &message;
    unknown->number = number;
    unknown->place = mark_of(place, record);
}

void Messages::report_boolean(const Member& member, uint64_t value, Part place) {
    aggregates_.add(kBoolNotBoolean, place_of(mark_of(place, record_), &member), {value}, member.path);
}

uint64_t Messages::take_packed(const Contents& contents, const Member& member, Bytes payload, uint64_t offset) {
    if (contents.message != &kSampleMessage) return 0;
    return member.number == OfSample::location_id ? samples_.take_locations(payload, offset, readable_)
                                                  : samples_.take_values(payload, offset, readable_);
}

void Messages::repeated(const Contents&, const Member& member, Part place) {
    aggregates_.add_for(member, kFieldRepeated, 1, place_of(mark_of(place, record_), &member));
}

bool Messages::nested(const Contents&, const Member& member, Part place, Bytes payload, uint64_t offset) {
    if (member.message == &kLabel)
        return read<kLabel>(place, payload, offset, [&](const Contents& label) { samples_.add_label(label); });
    return read<kLine>(place, payload, offset, [&](const Contents& line) { entries_.read_line(line, record_); });
}

bool Messages::read_message(const Member& member, Part field, Bytes payload, uint64_t offset, uint64_t record) {
    record_ = record;
    switch (member.number) {
        case OfProfile::sample:
            samples_.begin(record);
            return read<kSampleMessage>(field, payload, offset, [&](const Contents& sample) { samples_.end(sample); });
        case OfProfile::mapping:
            return read<kMappingMessage>(field, payload, offset,
                                         [&](const Contents& mapping) { entries_.read_mapping(mapping, record); });
        case OfProfile::location:
            return read<kLocationMessage>(field, payload, offset,
                                          [&](const Contents& location) { entries_.read_location(location, record); });
        case OfProfile::function:
            return read<kFunctionMessage>(field, payload, offset,
                                          [&](const Contents& function) { entries_.read_function(function, record); });
        case OfProfile::sample_type:
            return read<kValueType>(field, payload, offset,
                                    [&](const Contents& type) { profile_.read_sample_type(type, record); });
        default:
            return read<kValueType>(field, payload, offset, [&](const Contents& type) {
                profile_.read_period_type(type, record);
                profile_.count(member, mark_of(field, record));
            });
    }
}

bool Messages::read_numbers(const Member& member, Part field, Bytes payload, uint64_t offset, uint64_t record) {
    record_ = record;
    Contents profile(kProfile, field);
    return protobuf::read_packed(profile, member, payload, offset, *this);
}

void Messages::read_string(Part field, Bytes text, uint64_t offset, uint64_t record) {
    strings_.add(text, offset, mark_of(field, record));
}

void Messages::read_number(const Member& member, Part field, Part value, uint64_t number, uint64_t record) {
    const Mark place = mark_of(value, record);
    if (member.meaning == Meaning::index) strings_.use(number, member, value, record);
    if (member.repeated) return;
    profile_.read_number(member, number, place);
    if (member.number != OfProfile::time_nanos) return profile_.count(member, mark_of(field, record));
    if (first_time_ != kNone && !std::exchange(certainty_.is_concatenated, true))
        context_.report.add({.rule = &kConcatenatedProfile,
                             .place = place_of(mark_of(field, record), &member),
                             .related_offset = first_time_});
    if (first_time_ == kNone && number != 0) first_time_ = field.at;
}

void Messages::skip_unread(const Member* member, Part field, uint64_t record) {
    note_limit(context_, field.at);
    if (member == nullptr) return;
    if (member->number == OfProfile::string_table) strings_.add_unread();
    if (member->number == OfProfile::sample) samples_.add_unread(mark_of(field, record));
    if (member->number == OfProfile::sample_type) profile_.add_unread_type();
    entries_.define_unread(member->number);
}

void Messages::finish(uint64_t size) {
    samples_.settle();
    strings_.settle();
    // In the order of section 5.5: a rule precedes those that it silences.
    entries_.finish();
    profile_.finish(size, samples_, strings_);
    strings_.finish(size);
    for (const Unknown& unknown : unknown_)
        context_.report.add({.rule = &kUnknownField,
                             .place = place_of(unknown.place),
                             .numbers = {unknown.number, 0, 0, unknown.fields},
                             .text = unknown.message->name});
    aggregates_.finish();
    const uint64_t strings = strings_.size();
    context_.statistics.emplace_back("samples", samples_.size());
    context_.statistics.emplace_back("mappings", entries_.mappings());
    context_.statistics.emplace_back("locations", entries_.locations());
    context_.statistics.emplace_back("functions", entries_.functions());
    context_.statistics.emplace_back("strings", strings);
}

}  // namespace tracelint::pprof
