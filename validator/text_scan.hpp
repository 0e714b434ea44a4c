// Looks at names: where they stop being ASCII, where they are not UTF-8.
#pragma once

#include "validator/bytes.hpp"

namespace tracelint {

struct TextScan {
    uint64_t ill_formed = kNone;     // first byte of the first sequence that is not UTF-8 (RFC 3629)
    uint64_t ill_formed_length = 0;  // of that sequence: its maximal subpart (Unicode, 3.9), 1 to 3 bytes
    uint64_t non_ascii = kNone;      // first byte above 7F
};

// Scans a text without its NUL.
TextScan scan_text(Bytes text);

// Bytes before the first `byte`, or kNone where there is none.
inline uint64_t length_to(uint8_t byte, Bytes bytes) {
    const void* found = bytes.empty() ? nullptr : std::memchr(bytes.data(), byte, bytes.size());
    return found == nullptr ? kNone : static_cast<uint64_t>(static_cast<const uint8_t*>(found) - bytes.data());
}

// Bytes before the first NUL, or kNone where there is none.
inline uint64_t length_to_nul(Bytes bytes) { return length_to(0, bytes); }

inline bool all_zero(Bytes bytes) {
    for (const uint8_t byte : bytes)
        if (byte != 0) return false;
    return true;
}

}  // namespace tracelint
