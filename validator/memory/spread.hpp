// Multiplicative hashing.
#pragma once

#include "validator/tables/bytes.hpp"

namespace tracelint {

// 2^64 divided by the golden ratio, rounded to an odd number.
inline constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;

// A number whose high bits depend on all bits of `number`: consecutive numbers and multiples of a power of two get
// high bits that differ.
constexpr uint64_t spread(uint64_t number) { return number * kSpread; }

}  // namespace tracelint
