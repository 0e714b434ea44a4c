// Bytes and integers: loads and stores in either byte order, and arithmetic that does not wrap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "tracelint/basics.hpp"

namespace tracelint {

using std::int64_t;
using std::uint16_t;
using std::uint32_t;

constexpr ByteOrder opposite(ByteOrder order) {
    return order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
}

inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }
inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Loads an unsigned integer of `width` bytes (1, 2, 4 or 8).
inline uint64_t load(const uint8_t* from, unsigned width, ByteOrder order) {
    const bool swap = (order == ByteOrder::big) == (std::endian::native == std::endian::little);
    switch (width) {
        case 1: return *from;
        case 2: {
            uint16_t value;
            std::memcpy(&value, from, 2);
            return swap ? __builtin_bswap16(value) : value;
        }
        case 4: {
            uint32_t value;
            std::memcpy(&value, from, 4);
            return swap ? __builtin_bswap32(value) : value;
        }
        default: {
            uint64_t value;
            std::memcpy(&value, from, 8);
            return swap ? __builtin_bswap64(value) : value;
        }
    }
}

// Stores the low `width` bytes (1 to 8) of `value`.
inline void store(uint8_t* to, unsigned width, ByteOrder order, uint64_t value) {
    for (unsigned i = 0; i < width; ++i) {
        const unsigned at = order == ByteOrder::little ? i : width - 1 - i;
        to[at] = static_cast<uint8_t>(value >> (8 * i));
    }
}

// `value`, an integer of `width` bytes (1 to 8), sign-extended to 64 bits.
constexpr int64_t sign_extended(uint64_t value, unsigned width) {
    const unsigned unused = 64 - 8 * width;
    return static_cast<int64_t>(value << unused) >> unused;
}

// Whether the range [start, start + size) ends above 2^64. Ending exactly at 2^64 is legal.
constexpr bool ends_above_2_64(uint64_t start, uint64_t size) {
    uint64_t end = 0;
    return __builtin_add_overflow(start, size, &end) && end != 0;
}

// The sum, or 2^64 - 1 if it does not fit; the difference, or 0 if it is negative.
constexpr uint64_t saturating_add(uint64_t a, uint64_t b) {
    uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? kNone : sum;
}

constexpr uint64_t saturating_sub(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace tracelint
