// mlpd, section 3.9: LEB128 numbers as nearly all of them are, read without a branch on how long they are.
#pragma once

#include <array>

#include "validator/bytes.hpp"

namespace tracelint::mlpd {

// Indexed by the bytes of a number except its last: the smallest number that needs that many, unsigned and signed (as a
// distance from 0 or -1).
struct Least {
    std::array<uint64_t, 8> of_unsigned{}, of_signed{};
};
inline constexpr Least kLeast = [] {
    Least least;
    for (unsigned before = 1; before < 8; ++before) {
        least.of_unsigned[before] = uint64_t{1} << (7 * before);
        least.of_signed[before] = least.of_unsigned[before] / 2;
    }
    return least;
}();

// Of numbers combined with |.
inline bool any_negative(uint64_t together) { return static_cast<int64_t>(together) < 0; }

// One LEB128 number of at most eight bytes.
class ShortNumber {
  public:
    static constexpr ptrdiff_t kRoom = 8;  // bytes that must be in hand

    // False: it is longer. No other member may be called then.
    [[nodiscard, gnu::always_inline]] bool read(const uint8_t* from) {
        const uint64_t word = load(from, 8, ByteOrder::little), ends = ~word & 0x8080808080808080;
        if (ends == 0) [[unlikely]]
            return false;
        take_first(word, ends);
        return true;
    }

    unsigned first_bytes() const { return before_first_end_ + 1; }
    uint64_t first() const { return up(bits_, above_first_) >> (above_first_ & 63); }
    uint64_t first_signed() const { return sign_kept(up(bits_, above_first_), above_first_); }

    // Negative if the number could be shorter.
    uint64_t spare_first(uint64_t number) const { return number - kLeast.of_unsigned[before_first_end_]; }
    uint64_t spare_first_signed(uint64_t number) const {
        return unsigned_of(number) - kLeast.of_signed[before_first_end_];
    }

  protected:
    // `ends`: bit 7 of each byte that ends a number; not 0.
    [[gnu::always_inline]] void take_first(uint64_t word, uint64_t ends) {
        const unsigned end = static_cast<unsigned>(std::countr_zero(ends));
        before_first_end_ = end / 8;
        above_first_ = before_first_end_ - end;  // 64 less seven for each byte, as shifts count
        bits_ = packed(word);
    }

    // The low seven bits of eight bytes, packed side by side.
    static uint64_t packed(uint64_t bytes) {
        bytes = (bytes & 0x7f007f007f007f00) >> 1 | (bytes & 0x007f007f007f007f);
        bytes = (bytes & 0x3fff00003fff0000) >> 2 | (bytes & 0x00003fff00003fff);
        return (bytes & 0x0fffffff00000000) >> 4 | (bytes & 0x000000000fffffff);
    }
    // Shift counts are taken modulo 64.
    static uint64_t up(uint64_t number, unsigned bits) { return number << (bits & 63); }
    static uint64_t sign_kept(uint64_t number, unsigned bits) {
        return static_cast<uint64_t>(static_cast<int64_t>(number) >> (bits & 63));
    }
    static uint64_t unsigned_of(uint64_t number) { return number ^ sign_kept(number, 63); }

    unsigned before_first_end_ = 0;  // bytes
    unsigned above_first_ = 0;       // bits of a word above the first number
    uint64_t bits_ = 0;
};

// Two consecutive LEB128 numbers of at most eight bytes together. In healthy files only the first ones of a buffer are
// longer.
class Pair : public ShortNumber {
  public:
    // False: the two are longer. No other member may be called then.
    [[nodiscard, gnu::always_inline]] bool read(const uint8_t* from) {
        const uint64_t word = load(from, 8, ByteOrder::little), ends = ~word & 0x8080808080808080;
        const uint64_t later_ends = ends & (ends - 1);
        if (later_ends == 0) [[unlikely]]
            return false;
        take_first(word, ends);
        const unsigned second_end = static_cast<unsigned>(std::countr_zero(later_ends));
        before_end_ = second_end / 8;
        above_ = before_end_ - second_end;
        return true;
    }

    unsigned bytes() const { return before_end_ + 1; }
    uint64_t second() const { return up(bits_, above_) >> ((above_ - above_first_) & 63); }
    uint64_t second_signed() const { return sign_kept(up(bits_, above_), above_ - above_first_); }

    // Negative if the number could be shorter.
    uint64_t spare_second(uint64_t number) const { return number - kLeast.of_unsigned[second_before_end()]; }
    uint64_t spare_second_signed(uint64_t number) const {
        return unsigned_of(number) - kLeast.of_signed[second_before_end()];
    }

  private:
    unsigned second_before_end() const { return before_end_ - before_first_end_ - 1; }

    unsigned before_end_ = 0;  // bytes
    unsigned above_ = 0;       // bits of a word above both numbers
};

}  // namespace tracelint::mlpd
