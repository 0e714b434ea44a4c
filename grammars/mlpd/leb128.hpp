// mlpd, section 3.9: LEB128 numbers, and what can be wrong with one.
#pragma once

#include "validator/bytes.hpp"

namespace tracelint::mlpd {

inline constexpr size_t kLongestLeb = 10;  // bytes of a number of 64 bits

struct LebNumber {
    enum class Fault : uint8_t { none, cut, too_long, overflow };
    uint64_t value = 0;
    uint8_t length = 0;  // bytes; those that are there where it is cut
    Fault fault = Fault::none;
    bool is_canonical = true;
};

template <bool Signed>
inline LebNumber read_leb(const uint8_t* from, const uint8_t* end) {
    LebNumber number;
    while (number.length < kLongestLeb) {
        if (from == end) {
            number.fault = LebNumber::Fault::cut;
            return number;
        }
        const uint8_t byte = *from++;
        const unsigned shift = 7u * number.length++;
        number.value |= uint64_t{byte & 0x7fu} << shift;
        if ((byte & 0x80) != 0) continue;
        if (number.length == kLongestLeb) {
            // Only one bit of the tenth byte is left; the others repeat the sign.
            if (Signed ? byte != 0x00 && byte != 0x7f : byte > 0x01) number.fault = LebNumber::Fault::overflow;
        } else if (Signed && (byte & 0x40) != 0) {
            number.value |= ~uint64_t{0} << (shift + 7);
        }
        if (number.length > 1) {
            const bool before = (from[-2] & 0x40) != 0;
            number.is_canonical = Signed ? !((byte == 0x00 && !before) || (byte == 0x7f && before)) : byte != 0x00;
        }
        return number;
    }
    number.fault = LebNumber::Fault::too_long;
    return number;
}

// A number of the writer's C type int, which comes sign-extended (3.9).
constexpr uint64_t as_int(uint64_t written) { return written >= 0xFFFFFFFF80000000 ? written & 0xffffffff : written; }

constexpr bool fits_32_bits(uint64_t distance) {
    return static_cast<int64_t>(distance) == static_cast<int32_t>(static_cast<uint32_t>(distance));
}

}  // namespace tracelint::mlpd
