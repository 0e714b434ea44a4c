// The bytes of unwinding data, and the numbers and pointers in them (sections 3.7.1 and 3.7.2).
#include "grammars/jitdump/unwinding_data.hpp"

#include "validator/tables/leb128.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {

bool is_known_encoding(uint8_t encoding) {
    constexpr uint16_t formats =
        0b0001'1110'0001'1111;  // absptr uleb128 udata2 udata4 udata8, sleb128 sdata2 sdata4 sdata8
    return encoding == kOmitted || ((formats >> format_of(encoding) & 1) != 0 && (encoding & 0x70) <= 0x50);
}

unsigned UnwindingReader::width_of(uint8_t encoding) const {
    constexpr uint8_t widths[] = {0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
    return format_of(encoding) == 0 ? pointer_width_ : widths[format_of(encoding)];
}

std::optional<uint8_t> UnwindingReader::byte() {
    if (left() == 0) return std::nullopt;
    return bytes_[at_++];
}

std::optional<EncodedNumber> UnwindingReader::leb128(bool is_signed) {
    uint64_t end = at_;
    while (end < bytes_.size() && (bytes_[end] & 0x80) != 0) ++end;
    if (end == bytes_.size()) return std::nullopt;
    const LebNumber read = read_leb(bytes_.subspan(at_, end + 1 - at_), is_signed);
    at_ = end + 1;
    return EncodedNumber{.value = read.value,
                         .is_negative = is_signed && static_cast<int64_t>(read.value) < 0,
                         .is_overlong = read.fault != LebNumber::Fault::none};
}

std::optional<EncodedNumber> UnwindingReader::number(uint8_t encoding) {
    const bool is_signed = (encoding & 0x08) != 0;
    const unsigned width = width_of(encoding);
    if (width == 0) return leb128(is_signed);
    if (left() < width) return std::nullopt;
    const uint64_t value = load(&bytes_[at_], width, order_);
    at_ += width;
    if (!is_signed) return EncodedNumber{.value = value};
    const int64_t extended = sign_extended(value, width);
    return EncodedNumber{.value = static_cast<uint64_t>(extended), .is_negative = extended < 0};
}

std::optional<Bytes> UnwindingReader::text() {
    const uint64_t length = length_to_nul(bytes_.subspan(at_));
    if (length == kNone) return std::nullopt;
    const Bytes read = bytes_.subspan(at_, length);
    at_ += length + 1;
    return read;
}

bool UnwindingReader::skip(uint64_t count) {
    if (count > left()) return false;
    at_ += count;
    return true;
}

bool UnwindingReader::holds(uint64_t count, uint8_t encoding) {
    const unsigned width = width_of(encoding);
    if (width != 0) return left() / width >= count;
    for (uint64_t i = 0; i < count; ++i)
        if (!leb128(false)) return false;
    return true;
}

}  // namespace tracelint::jitdump
