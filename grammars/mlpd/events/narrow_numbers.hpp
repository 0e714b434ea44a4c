// mlpd, section 3.9: LEB128 numbers that hold narrower numbers.
#pragma once

#include "validator/tables/leb128.hpp"

namespace tracelint::mlpd {

// A number of the writer's C type int, which is written sign-extended (section 3.9).
constexpr uint64_t as_int(uint64_t written) { return written >= 0xFFFFFFFF80000000 ? written & 0xffffffff : written; }

constexpr bool fits_32_bits(uint64_t distance) {
    return static_cast<int64_t>(distance) == static_cast<int32_t>(static_cast<uint32_t>(distance));
}

}  // namespace tracelint::mlpd
