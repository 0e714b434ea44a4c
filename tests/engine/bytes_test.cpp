// Integers of any width are loaded and stored, and no bytes around them.
#include "validator/tables/bytes.hpp"

#include <doctest/doctest.h>

#include "tests/support/guarded_page.hpp"

namespace tracelint {

TEST_CASE("an integer is loaded in either byte order, and no bytes after it") {
    struct Case {
        unsigned width;
        uint64_t little, big;
    };
    const Case cases[] = {
        {1, 0x81, 0x81},
        {2, 0x8281, 0x8182},
        {4, 0x84838281, 0x81828384},
        {8, 0x8887868584838281, 0x8182838485868788},
    };
    GuardedPage page;
    for (const auto& [width, little, big] : cases) {
        CAPTURE(width);
        uint8_t* const at = page.last(width);
        for (unsigned i = 0; i < width; ++i) at[i] = static_cast<uint8_t>(0x81 + i);
        CHECK(load(at, width, ByteOrder::little) == little);
        CHECK(load(at, width, ByteOrder::big) == big);
    }
}

TEST_CASE("sums and differences stay within 64 bits") {
    struct Case {
        uint64_t a, b, sum, difference;
        bool ends_above;
    };
    const Case cases[] = {
        {0, 0, 0, 0, false},
        {5, 3, 8, 2, false},
        {3, 5, 8, 0, false},
        {kNone, 0, kNone, kNone, false},
        {kNone, 1, kNone, kNone - 1, false},  // 2^64 is not an address but may be an end
        {kNone, 2, kNone, kNone - 2, true},
        {2, kNone, kNone, 0, true},
    };
    for (const auto& [a, b, sum, difference, ends_above] : cases) {
        CAPTURE(a);
        CAPTURE(b);
        CHECK(saturating_add(a, b) == sum);
        CHECK(saturating_sub(a, b) == difference);
        CHECK(ends_above_2_64(a, b) == ends_above);
    }
}

}  // namespace tracelint
