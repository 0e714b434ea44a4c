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

// LEB128 numbers as nearly all of them are.

inline constexpr std::ptrdiff_t kShortRoom = 8;  // bytes of a short number
inline constexpr unsigned kInWord = 4;           // bytes of a number from which on it is read as one word

// Reads a number of kInWord to kShortRoom bytes, as one word.
template <bool Signed>
[[gnu::always_inline]] inline const uint8_t* read_word(const uint8_t* from, uint64_t& value) {
    const uint64_t word = load(from, 8, ByteOrder::little), ends = ~word & 0x8080808080808080;
    if (ends == 0) return nullptr;
    const unsigned bytes = (static_cast<unsigned>(std::countr_zero(ends)) + 1) / 8, bits = 7 * bytes;
    // The low seven bits of each byte up to the last one, packed side by side.
    uint64_t packed = word & (ends ^ (ends - 1));
    packed = (packed & 0x7f007f007f007f00) >> 1 | (packed & 0x007f007f007f007f);
    packed = (packed & 0x3fff00003fff0000) >> 2 | (packed & 0x00003fff00003fff);
    packed = (packed & 0x0fffffff00000000) >> 4 | (packed & 0x000000000fffffff);
    const uint64_t least = uint64_t{1} << (bits - 7);  // that needs so many bytes; signed: a distance from its half
    if (Signed) {
        const uint64_t sign = uint64_t{1} << (bits - 1);
        value = (packed ^ sign) - sign;
        if (value + least / 2 < least) return nullptr;
    } else {
        value = packed;
        if (value < least) return nullptr;
    }
    return from + bytes;
}

// Reads a number of at most `Most` bytes, with kShortRoom in hand, that could not be shorter. Returns the end of the
// number; null if it has another form. Branches on each byte: lengths mostly repeat, so that processors foresee them,
// while arithmetic on all bytes at once takes twice as many instructions. That only pays for long numbers.
template <bool Signed, unsigned Most = kShortRoom>
[[gnu::always_inline]] inline const uint8_t* read_short(const uint8_t* from, uint64_t& value) {
    value = 0;
    for (unsigned before = 0; before < std::min(Most, kInWord - 1); ++before) {
        const uint64_t byte = from[before], low = uint64_t{1} << (7 * before);
        // Also clears the flag of the byte before.
        value += before == 0 ? byte : (byte - 1) << (7 * before);
        if (byte >= 0x80) continue;
        if (Signed) {
            const uint64_t sign = low << 6;
            value = (value ^ sign) - sign;
            if (before != 0 && value + low / 2 < low) return nullptr;
        } else if (before != 0 && byte == 0) {
            return nullptr;
        }
        return from + before + 1;
    }
    if constexpr (Most < kInWord) return nullptr;
    return read_word<Signed>(from, value);
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
