// A 64-bit number that is aligned to 4 bytes.
#pragma once

#include <array>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// Keeps an entry of a table that takes 20 bytes from being padded to 24.
class Packed64 {
  public:
    constexpr Packed64() = default;
    constexpr Packed64(uint64_t value) : halves_(std::bit_cast<std::array<uint32_t, 2>>(value)) {}
    constexpr operator uint64_t() const { return std::bit_cast<uint64_t>(halves_); }

  private:
    std::array<uint32_t, 2> halves_{};
};
static_assert(sizeof(Packed64) == 8 && alignof(Packed64) == 4);

}  // namespace tracelint
