// Reads fields of Protocol Buffers messages.
#include "validator/tables/protobuf.hpp"

namespace tracelint::protobuf {
namespace {

constexpr unsigned kPlausibleFields = 4;

LebNumber varint_at(Bytes bytes, uint64_t at) {
    return read_leb<false>(bytes.data() + at, bytes.data() + bytes.size());
}

void fail(WireField& field, Fault fault, uint64_t at, uint64_t size) {
    field.fault = fault;
    field.faulty = {at, size};
}

// Whether the varint at `at` has a fault of its own, which becomes that of the field that begins at `start`.
bool is_faulty(WireField& field, const LebNumber& read, Bytes bytes, uint64_t start, uint64_t at) {
    switch (read.fault) {
        case LebNumber::Fault::none: return false;
        case LebNumber::Fault::cut: fail(field, Fault::cut, start, bytes.size() - start); break;
        case LebNumber::Fault::too_long: fail(field, Fault::too_long, at, kLongestLeb); break;
        case LebNumber::Fault::overflow: fail(field, Fault::overflow, at, kLongestLeb); break;
    }
    return true;
}

Fault fault_of_tag(const WireField& field) {
    if (field.wire == WireType::invalid6 || field.wire == WireType::invalid7) return Fault::wire_type_invalid;
    if (field.wire == WireType::start_group || field.wire == WireType::end_group) return Fault::group;
    if (field.number == 0) return Fault::number_zero;
    if (field.number > kLargestNumber) return Fault::number_too_large;
    return field.tag.size > kLongestPrefix ? Fault::prefix_too_long : Fault::none;
}

}  // namespace

WireField read_head(const Message& message, Bytes bytes, uint64_t at) {
    WireField field;
    const LebNumber tag = varint_at(bytes, at);
    field.tag = {at, tag.length};
    field.value.at = at + tag.length;
    if (is_faulty(field, tag, bytes, at, at)) return field;
    field.has_tag = true;
    field.number = tag.value >> 3;
    field.wire = static_cast<WireType>(tag.value & 7);
    if (const Fault fault = fault_of_tag(field); fault != Fault::none) {
        fail(field, fault, at, tag.length);
        return field;
    }
    field.is_tag_padded = !tag.is_canonical;
    field.member = message.find(field.number);
    if (field.member != nullptr && !field.member->takes(field.wire)) {
        fail(field, Fault::type_mismatch, at, tag.length);
        return field;
    }
    if (field.wire == WireType::fixed64 || field.wire == WireType::fixed32) {
        field.value.size = field.wire == WireType::fixed64 ? 8 : 4;
        if (field.value.size > bytes.size() - field.value.at) fail(field, Fault::cut, at, bytes.size() - at);
        return field;
    }
    const LebNumber number = varint_at(bytes, field.value.at);
    field.value.size = number.length;
    if (is_faulty(field, number, bytes, at, field.value.at)) return field;
    field.content = number.value;
    field.is_value_padded = !number.is_canonical;
    return field;
}

void judge_end(WireField& field, bool fits) {
    if (!fits)
        fail(field, Fault::cut, field.tag.at, 0);
    else if (field.value.size > kLongestPrefix)
        fail(field, Fault::prefix_too_long, field.value.at, field.value.size);
    if (field.fault != Fault::none) field.is_value_padded = false;
}

uint64_t end_of_zeros(Bytes bytes, uint64_t at, bool is_all) {
    while (at < bytes.size() && (is_all || bytes.size() - at >= kLongestHead)) {
        const LebNumber tag = varint_at(bytes, at);
        if (tag.fault != LebNumber::Fault::none || tag.value != 0) return at;
        const uint64_t end = end_of_value(bytes, at + tag.length, WireType::varint);
        if (end == kNone) return bytes.size();
        at = end;
    }
    return at;
}

uint64_t end_of_value(Bytes bytes, uint64_t value_at, WireType wire) {
    const auto within = [&](uint64_t size) {
        return value_at <= bytes.size() && size <= bytes.size() - value_at ? value_at + size : kNone;
    };
    switch (wire) {
        case WireType::varint:
            for (uint64_t at = value_at; at < bytes.size(); ++at)
                if (bytes[at] < 0x80) return at + 1;
            return kNone;
        case WireType::fixed64: return within(8);
        case WireType::fixed32: return within(4);
        case WireType::end_group: return within(0);
        case WireType::delimited: {
            if (value_at >= bytes.size()) return kNone;
            const LebNumber length = varint_at(bytes, value_at);
            if (length.fault != LebNumber::Fault::none) return kNone;
            return within(saturating_add(length.length, length.value));
        }
        default: return kNone;
    }
}

bool is_plausible(const Message& message, Bytes bytes, uint64_t at, bool is_end) {
    for (unsigned field = 0; field < kPlausibleFields && at < bytes.size(); ++field) {
        const WireField read = read_head(message, bytes, at);
        if (read.fault == Fault::cut) return !is_end;
        if (read.fault != Fault::none || read.member == nullptr) return false;
        if (read.wire == WireType::delimited && read.content > bytes.size() - read.value.at - read.value.size)
            return !is_end;
        at = read.end();
    }
    return true;
}

}  // namespace tracelint::protobuf
