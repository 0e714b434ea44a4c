// LEB128: values and faults.
#include "validator/tables/leb128.hpp"

#include <doctest/doctest.h>

namespace tracelint {
namespace {

using Fault = LebNumber::Fault;

struct Example {
    const char* what;
    bool is_signed;
    std::string bytes;
    uint64_t value;  // without a fault
    uint8_t length;
    Fault fault = Fault::none;
    bool is_canonical = true;
};

constexpr uint64_t minus(uint64_t number) { return ~number + 1; }

// Bytes that all say that the number continues.
std::string more(size_t count) { return std::string(count, '\x80'); }
std::string full(size_t count) { return std::string(count, '\xff'); }

const Example kExamples[] = {
    {"zero", false, {'\0'}, 0, 1},
    {"the largest of one byte", false, "\x7f", 127, 1},
    {"the smallest of two", false, "\x80\x01", 128, 2},
    {"DWARF's example", false, "\xe5\x8e\x26", 624485, 3},
    {"what follows is not read", false, "\x05\xff\xff", 5, 1},
    {"all 64 bits", false, full(9) + '\x01', kNone, 10},
    {"the highest bit alone", false, more(9) + '\x01', uint64_t{1} << 63, 10},
    {"nothing", false, "", 0, 0, Fault::cut},
    {"cut after the first byte", false, "\x80", 0, 1, Fault::cut},
    {"cut after the ninth byte", false, more(9), 0, 9, Fault::cut},
    {"ten that go on", false, more(10), 0, 10, Fault::too_long},
    {"eleven", false, more(10) + '\x01', 0, 10, Fault::too_long},
    {"bit 64", false, more(9) + '\x02', 0, 10, Fault::overflow},
    {"bit 69", false, more(9) + '\x40', 0, 10, Fault::overflow},
    {"zero in two bytes", false, {'\x80', '\0'}, 0, 2, Fault::none, false},
    {"127 in two bytes", false, {'\xff', '\0'}, 127, 2, Fault::none, false},
    {"one in ten bytes", false, "\x81" + more(8) + '\0', 1, 10, Fault::none, false},

    {"signed zero", true, {'\0'}, 0, 1},
    {"the largest of one byte", true, "\x3f", 63, 1},
    {"the smallest of one byte", true, "\x40", minus(64), 1},
    {"minus one", true, "\x7f", minus(1), 1},
    {"64 shows its sign", true, {'\xc0', '\0'}, 64, 2},
    {"-65 shows its sign", true, "\xbf\x7f", minus(65), 2},
    {"DWARF's example", true, "\x80\x7f", minus(128), 2},
    {"bit 62 and its sign in nine bytes", true, more(8) + '\x40', uint64_t{3} << 62, 9},
    {"the smallest", true, more(9) + '\x7f', uint64_t{1} << 63, 10},
    {"the largest", true, full(9) + '\0', kNone >> 1, 10},
    {"nothing", true, "", 0, 0, Fault::cut},
    {"cut after the first byte", true, "\xff", 0, 1, Fault::cut},
    {"ten that go on", true, full(10), 0, 10, Fault::too_long},
    {"bit 63 is not the sign", true, more(9) + '\x01', 0, 10, Fault::overflow},
    {"the sign is not bit 63", true, full(9) + '\x7e', 0, 10, Fault::overflow},
    {"zero in two bytes", true, {'\x80', '\0'}, 0, 2, Fault::none, false},
    {"minus one in two bytes", true, "\xff\x7f", minus(1), 2, Fault::none, false},
    {"minus one in ten bytes", true, full(9) + '\x7f', minus(1), 10, Fault::none, false},
};

}  // namespace

TEST_CASE("LEB128 numbers are read, whatever follows them") {
    for (const Example& example : kExamples)
        for (const char* following : {"", "\x80\x81\xff\x7f\x80\x80\x80\x80", "\x01\x01\x01\x01\x01\x01\x01\x01"}) {
            if (example.fault == Fault::cut && *following != '\0') continue;
            CAPTURE(example.what);
            CAPTURE(example.is_signed);
            const std::string bytes = example.bytes + following;
            const LebNumber number = read_leb(as_bytes(bytes), example.is_signed);
            CHECK(number.fault == example.fault);
            CHECK(number.length == example.length);
            if (example.fault != Fault::none) continue;
            CHECK(number.value == example.value);
            CHECK(number.is_canonical == example.is_canonical);
        }
}

TEST_CASE("a LEB128 number written with its old length has its old bytes") {
    for (const Example& example : kExamples) {
        if (example.fault != Fault::none) continue;
        CAPTURE(example.what);
        CAPTURE(example.is_signed);
        std::string again, shortest;
        append_leb(again, example.value, example.is_signed, example.length);
        CHECK(again == example.bytes.substr(0, example.length));
        append_leb(shortest, example.value, example.is_signed);
        CHECK((shortest.size() == example.length) == example.is_canonical);
    }
}

TEST_CASE("a LEB128 number is written in at most ten bytes") {
    for (const bool is_signed : {false, true})
        for (const uint64_t value : {uint64_t{0}, uint64_t{1}, kNone, uint64_t{1} << 63}) {
            CAPTURE(is_signed);
            CAPTURE(value);
            std::string bytes;
            append_leb(bytes, value, is_signed, 100);
            CHECK(bytes.size() == kLongestLeb);
            const LebNumber read = read_leb(as_bytes(bytes), is_signed);
            CHECK(read.fault == Fault::none);
            CHECK(read.value == value);
        }
}

}  // namespace tracelint
