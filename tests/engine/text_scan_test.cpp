// Texts: where they are not ASCII, and what is UTF-8 according to RFC 3629.
#include "validator/tables/text_scan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/guarded_page.hpp"

namespace tracelint {
namespace {

struct ScannedText {
    const char* what;
    std::string text;
    uint64_t ill_formed, non_ascii;
};

const ScannedText kScannedTexts[] = {
    {"nothing", "", kNone, kNone},
    {"ASCII", "a plain name of more than sixteen bytes", kNone, kNone},
    {"DEL is ASCII", "\x7f", kNone, kNone},
    {"two bytes", "na\xc3\xafve", kNone, 2},
    {"three bytes", "\xe2\x82\xac", kNone, 0},
    {"four bytes", "\xf0\x9f\x98\x80", kNone, 0},
    {"after the first word", "12345678\xc3\xa9", kNone, 8},
    {"the highest code point", "\xf4\x8f\xbf\xbf", kNone, 0},
    {"above it", "\xf4\x90\x80\x80", 0, 0},
    {"far above it", "\xf5\x80\x80\x80", 0, 0},
    {"a lone continuation", "ab\x80", 2, 2},
    {"overlong, two bytes", "\xc0\xaf", 0, 0},
    {"overlong, C1", "\xc1\xbf", 0, 0},
    {"overlong, three bytes", "\xe0\x9f\xbf", 0, 0},
    {"the lowest of three bytes", "\xe0\xa0\x80", kNone, 0},
    {"overlong, four bytes", "\xf0\x8f\xbf\xbf", 0, 0},
    {"the lowest of four bytes", "\xf0\x90\x80\x80", kNone, 0},
    {"before the surrogates", "\xed\x9f\xbf", kNone, 0},
    {"a surrogate", "\xed\xa0\x80", 0, 0},
    {"after the surrogates", "\xee\x80\x80", kNone, 0},
    {"cut after the lead", "\xc3", 0, 0},
    {"cut inside", "\xe2\x82", 0, 0},
    {"cut inside four", "\xf0\x9f\x98", 0, 0},
    {"a bad third byte", "\xe2\x82\x41", 0, 0},
    {"a bad fourth byte", "\xf0\x9f\x98\x41", 0, 0},
    {"a third byte below the range", "\xe2\x82\x7f", 0, 0},
    {"a third byte above it", "\xe2\x82\xc0", 0, 0},
    {"good ones before the bad one", "\xc3\xa9\xff", 2, 0},
    {"byte FF", "\xff", 0, 0},
};

TEST_CASE("texts are ASCII, UTF-8 or neither") {
    for (const ScannedText& example : kScannedTexts) {
        CAPTURE(example.what);
        const TextScan scan = scan_text(as_bytes(example.text));
        CHECK(scan.ill_formed == example.ill_formed);
        CHECK(scan.non_ascii == example.non_ascii);
    }
}

TEST_CASE("the length of an ill-formed sequence is that of its maximal subpart") {
    const auto length = [](const char* text) { return scan_text(as_bytes(text)).ill_formed_length; };
    CHECK(length("\xff") == 1);
    CHECK(length("\xc0\xaf") == 1);
    CHECK(length("\xc3") == 1);
    CHECK(length("\xe2\x82") == 2);
    CHECK(length("\xe2\x82\x41") == 2);
    CHECK(length("\xe0\x9f\xbf") == 1);
    CHECK(length("\xf0\x9f\x98\x41") == 3);
    CHECK(length("\xf4\x90\x80\x80") == 1);
}

TEST_CASE("the first byte above 0x7f is found at any offset") {
    for (const char byte : {'\x80', '\xff'})
        for (size_t at = 0; at < 40; ++at) {
            std::string text(40, 'a');
            text[at] = byte;
            CHECK(scan_text(as_bytes(text)).non_ascii == at);
            CHECK(scan_text(as_bytes(text)).ill_formed == at);
        }
}

TEST_CASE("bytes after a text do not count") {
    for (size_t length = 0; length < 24; ++length) {
        const std::string buffer = std::string(length, 'a') + "\xa9";
        CHECK(scan_text(as_bytes(buffer).first(length)).non_ascii == kNone);
    }
    // The sequences continue after the texts.
    for (const char* whole : {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
        const Bytes bytes = as_bytes(whole);
        CHECK(scan_text(bytes).ill_formed == kNone);
        for (size_t length = 1; length < bytes.size(); ++length) CHECK(scan_text(bytes.first(length)).ill_formed == 0);
    }
}

TEST_CASE("bytes after a text are not read") {
    GuardedPage page;
    for (size_t length = 0; length < 24; ++length) {
        const Bytes text(page.last(length), length);
        std::fill_n(page.last(length), length, 'a');
        CHECK(scan_text(text).non_ascii == kNone);
        CHECK(length_to_nul(text) == kNone);
        std::fill_n(page.last(length), length, 0);
        CHECK(all_zero(text));
    }
}

TEST_CASE("a text ends at its first NUL") {
    CHECK(length_to_nul(as_bytes(std::string_view("ab\0c\0", 5))) == 2);
    CHECK(length_to_nul(as_bytes("abc")) == kNone);
    CHECK(length_to_nul({}) == kNone);
    CHECK(all_zero(as_bytes(std::string_view("\0\0\0", 3))));
    CHECK(all_zero({}));
    CHECK_FALSE(all_zero(as_bytes(std::string_view("\0\0\1", 3))));
}

TEST_CASE("one pass over a text finds its end and whether it is ASCII") {
    for (size_t length = 0; length < 40; ++length)
        for (size_t odd = 0; odd <= length; ++odd) {  // the place of a byte above 0x7f; none at `length`
            CAPTURE(length);
            CAPTURE(odd);
            std::string text(length, '\x01');
            if (odd < length) text[odd] = '\x80';
            const EndedText open = ended_text(as_bytes(text));
            CHECK(open.length == kNone);
            CHECK_FALSE(open.is_ascii);
            for (const std::string rest : {"", "\x80", "a", "\x01\xff", "12345678\xff"}) {
                std::string ended = text + '\0';
                ended += rest;
                CHECK(ended_text(as_bytes(ended)).length == length);
                CHECK(ended_text(as_bytes(ended)).is_ascii == (odd == length));
            }
        }
}

TEST_CASE("a text in UTF-16 ends at a unit of zero, not at two zero bytes") {
    const auto length = [](std::string_view text) { return length_to_nul16(as_bytes(text)); };
    CHECK(length(std::string_view("a\0\0\0", 4)) == 2);
    CHECK(length(std::string_view("\0\1\0\0", 4)) == 2);
    CHECK(length(std::string_view("a\0\0b\0\0", 6)) == 4);
    CHECK(length(std::string_view("\0\0", 2)) == 0);
    CHECK(length(std::string_view("a\0\0", 3)) == kNone);
    CHECK(length({}) == kNone);
}

TEST_CASE("surrogates come in pairs") {
    const auto lone = [](std::string_view text) { return lone_surrogate(as_bytes(text)); };
    const std::string pair("\x3d\xd8\x00\xde", 4);  // U+1F600
    CHECK(lone(pair) == kNone);
    CHECK(lone(utf16_of("ab")) == kNone);
    CHECK(lone(utf16_of("ab") + pair.substr(0, 2)) == 4);
    CHECK(lone(pair.substr(0, 2) + utf16_of("a")) == 0);
    CHECK(lone(pair.substr(2) + pair) == 0);
    CHECK(lone(pair + pair.substr(2)) == 4);
}

TEST_CASE("UTF-16 becomes UTF-8") {
    const auto utf8 = [](const std::string& text) { return utf8_of_utf16(as_bytes(text)); };
    CHECK(utf8(utf16_of("a\x7f\x80\xff")) == "a\x7f\xc2\x80\xc3\xbf");
    CHECK(utf8(std::string("\xff\x07\x00\x08\xff\xff", 6)) == "\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    CHECK(utf8(std::string("\x3d\xd8\x00\xde", 4)) == "\xf0\x9f\x98\x80");
    CHECK(utf8(std::string("\x3d\xd8", 2)) == "\xef\xbf\xbd");
    CHECK(utf8("a") == "");
}

}  // namespace
}  // namespace tracelint
