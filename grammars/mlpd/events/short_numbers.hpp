// mlpd, section 3.9: LEB128 numbers as nearly all of them are.
#pragma once

#include "validator/bytes.hpp"

namespace tracelint::mlpd {

inline constexpr std::ptrdiff_t kShortRoom = 8;  // bytes of a short number

// Reads a number of at most kShortRoom bytes, all in hand, that could not be shorter. Null: it is another. Else where
// it ends. Branches on each byte: lengths mostly repeat, so that processors foresee them, while arithmetic on all bytes
// at once takes twice as many instructions.
template <bool Signed>
[[gnu::always_inline]] inline const uint8_t* read_short(const uint8_t* from, uint64_t& value) {
    value = 0;
    for (unsigned before = 0; before < kShortRoom; ++before) {
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
    return nullptr;
}

// Of numbers combined with |.
inline bool any_negative(uint64_t together) { return static_cast<int64_t>(together) < 0; }

}  // namespace tracelint::mlpd
