// mlpd, section 3.9: LEB128 numbers as nearly all of them are.
#pragma once

#include <algorithm>
#include <bit>

#include "validator/tables/bytes.hpp"

namespace tracelint::mlpd {

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

// Reads a number of at most `Most` bytes, with kShortRoom in hand, that could not be shorter. Null: it is another. Else
// where it ends. Branches on each byte: lengths mostly repeat, so that processors foresee them, while arithmetic on all
// bytes at once takes twice as many instructions. That pays for long numbers alone.
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

// Of numbers combined with |.
inline bool any_negative(uint64_t together) { return static_cast<int64_t>(together) < 0; }

}  // namespace tracelint::mlpd
