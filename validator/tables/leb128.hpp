// LEB128: integers of up to 64 bits, seven bits in each byte, least significant first.
#pragma once

#include <algorithm>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

inline constexpr size_t kLongestLeb = 10;  // bytes of a 64-bit integer

struct LebNumber {
    enum class Fault : uint8_t {
        none,
        cut,       // the data ends before the last byte
        too_long,  // none of ten bytes is the last
        overflow,  // the tenth byte has bits beyond the 64th
    };
    uint64_t value = 0;  // valid only without a fault; sign-extended if signed
    uint8_t length = 0;  // bytes read
    Fault fault = Fault::none;
    bool is_canonical = true;  // uses no more bytes than needed
};

// Reads the number at `from`; reads no byte at `end` or after.
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
            // The tenth byte holds only bit 63; its other bits repeat the sign.
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

inline LebNumber read_leb(Bytes from, bool is_signed) {
    const uint8_t* const end = from.data() + from.size();
    return is_signed ? read_leb<true>(from.data(), end) : read_leb<false>(from.data(), end);
}

// Appends the number in as few bytes as possible, but in no fewer than `at_least` (capped at kLongestLeb).
inline void append_leb(std::string& to, uint64_t value, bool is_signed, size_t at_least = 1) {
    at_least = std::min(at_least, kLongestLeb);
    for (size_t length = 1;; ++length) {
        const uint8_t low = value & 0x7f;
        value = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value) >> 7) : value >> 7;
        const bool sign_shown = value == ((low & 0x40) != 0 ? ~uint64_t{0} : 0);
        const bool last = (is_signed ? sign_shown : value == 0) && length >= at_least;
        to.push_back(static_cast<char>(last ? low : low | 0x80));
        if (last) return;
    }
}

}  // namespace tracelint
