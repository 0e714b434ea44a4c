// Numbers as people read them.
#include "validator/tool/dump/quantity_text.hpp"

#include <doctest/doctest.h>

namespace tracelint {
namespace {

TEST_CASE("quantities: no digit is lost, and the unit suits the size") {
    struct Case {
        Quantity quantity;
        uint64_t number;
        std::string_view text;
    };
    const Case cases[] = {
        {Quantity::plain, 12, ""},
        {Quantity::address, 0x7f001234, "0x7f001234"},
        {Quantity::size, 1, "1 byte"},
        {Quantity::size, 9'999, "9999 bytes"},
        {Quantity::size, 65'536, "65536 bytes = 64.0 KiB"},
        {Quantity::size, kNone, "18446744073709551615 bytes = 16.0 EiB"},
        {Quantity::time, 0, "0 s"},
        {Quantity::time, 1'234'567'890'123, "1234.567890123 s"},
        {Quantity::time, kNone, "18446744073.709551615 s"},
        {Quantity::ticks, 5'000'000, "5000000 ticks"},
        {Quantity::nanoseconds, 999, "999 ns"},
        {Quantity::nanoseconds, 12'500, "12.5 µs"},
        {Quantity::nanoseconds, 1'000'001, "1.000001 ms"},
        {Quantity::nanoseconds, 90'000'000'000, "90 s"},
        {Quantity::microseconds, 10'000, "10 ms"},
        {Quantity::microseconds, kNone, "18446744073709551615 µs"},
        {Quantity::date_ms, 0, "1970-01-01 00:00:00.000 UTC"},
        {Quantity::date_ms, 1'709'210'096'789, "2024-02-29 12:34:56.789 UTC"},
        {Quantity::date_ns, 1'709'210'096'000'000'001, "2024-02-29 12:34:56.000000001 UTC"},
        {Quantity::date_ms, 253'402'300'799'999, "9999-12-31 23:59:59.999 UTC"},
        {Quantity::date_ms, 253'402'300'800'000, ""},  // shown as the number it is
        {Quantity::date_ms, kNone, ""},
    };
    for (const Case& one : cases) {
        CAPTURE(one.number);
        CHECK(quantity_text(one.quantity, one.number) == one.text);
    }
}

}  // namespace
}  // namespace tracelint
