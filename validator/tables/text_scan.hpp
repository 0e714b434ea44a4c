// Text in files: what is wrong with it. Numbers as text.
#pragma once

#include <charconv>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// Numbers as text.

// "0x1f": lower case, without leading zeros.
inline std::string hex(uint64_t number) {
    char text[18] = {'0', 'x'};
    return {text, std::to_chars(text + 2, text + sizeof text, number, 16).ptr};
}

// "5,312".
std::string grouped(uint64_t number);

// Text in files: where it is not ASCII, where it is not UTF-8, where it ends.

// The first UTF-8 sequence of a text.
struct Utf8Sequence {
    bool well_formed = false;
    size_t length = 1;  // bytes; if ill-formed, those of its maximal subpart (Unicode, 3.9), 1 to 3
    char32_t code = 0;  // the code point; only if well-formed
};

// `text` must not be empty.
Utf8Sequence first_utf8_sequence(Bytes text);

struct TextScan {
    uint64_t ill_formed = kNone;     // offset of the first sequence that is not UTF-8 (RFC 3629); kNone if absent
    uint64_t ill_formed_length = 0;  // bytes of that sequence, as in Utf8Sequence
    uint64_t non_ascii = kNone;      // offset of the first byte above 0x7f; kNone if absent
};

// Scans a text, which is given without its NUL.
TextScan scan_text(Bytes text);

// The number of bytes before the first `byte`, or kNone if absent.
inline uint64_t length_to(uint8_t byte, Bytes bytes) {
    const void* found = bytes.empty() ? nullptr : std::memchr(bytes.data(), byte, bytes.size());
    return found == nullptr ? kNone : static_cast<uint64_t>(static_cast<const uint8_t*>(found) - bytes.data());
}

// The number of bytes before the first NUL, or kNone if absent.
inline uint64_t length_to_nul(Bytes bytes) { return length_to(0, bytes); }

// UTF-16, the least significant byte of each unit first.

// The number of bytes before the first unit that is 0, or kNone if absent.
uint64_t length_to_nul16(Bytes bytes);

// The offset of the first surrogate that is not part of a pair, or kNone if absent.
uint64_t lone_surrogate(Bytes text);

// The same text in UTF-8, with U+FFFD for lone surrogates.
std::string utf8_of_utf16(Bytes text);

// The units of a text of Latin 1.
inline std::string utf16_of(std::string_view latin) {
    std::string units;
    for (const char unit : latin) (units += unit) += '\0';
    return units;
}

// A text that ends in a NUL.
struct EndedText {
    uint64_t length = kNone;  // bytes before the first NUL; kNone if absent
    bool is_ascii = false;    // whether all of them are; false without a NUL
};

// The text at the start of `bytes`, by one pass over it.
inline EndedText ended_text(Bytes bytes) {
    constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    uint64_t seen = 0;
    size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        const uint64_t eight = load(bytes.data() + at, 8, ByteOrder::little);
        const uint64_t nuls = (eight - kOnes) & ~eight & kHighs;  // the lowest bit is that of the first NUL
        if (nuls != 0) {
            const uint64_t before = (nuls & (0 - nuls)) - 1;
            return {at + static_cast<size_t>(std::countr_zero(nuls)) / 8, ((seen | (eight & before)) & kHighs) == 0};
        }
        seen |= eight;
    }
    for (; at < bytes.size(); ++at) {
        if (bytes[at] == 0) return {at, (seen & kHighs) == 0};
        seen |= bytes[at];
    }
    return {};
}

inline bool all_zero(Bytes bytes) {
    for (const uint8_t byte : bytes)
        if (byte != 0) return false;
    return true;
}

}  // namespace tracelint
