// pprof, section 2: what is looked at to recognise a profile.
#include <doctest/doctest.h>

#include "grammars/formats.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tables/leb128.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

std::string varint(uint64_t number) {
    std::string bytes;
    append_leb(bytes, number, false);
    return bytes;
}

std::string message(uint64_t number, const std::string& payload) {
    return varint(number << 3 | 2) + varint(payload.size()) + payload;
}

// A sample type, samples whose stacks have so many locations, a location, and the first string.
std::string profile(uint64_t samples, uint64_t depth) {
    const std::string sample = message(1, std::string(depth, '\1')) + std::string("\x10\x01", 2);
    std::string bytes = message(1, std::string("\x08\0\x10\0", 4));
    for (uint64_t i = 0; i < samples; ++i) bytes += message(2, sample);
    return bytes + message(4, std::string("\x08\1\x18\1", 4)) + message(6, "");
}

const Format* format_of(const std::string& bytes) {
    MemorySource source(as_bytes(bytes));
    return check(source, {}).format;
}

}  // namespace

TEST_CASE("samples of deep stacks are recognised, though they reach beyond the first look") {
    CHECK(format_of(profile(1, 100)) == &kPprof);
    CHECK(format_of(profile(3, 3'000)) == &kPprof);   // all within the second look
    CHECK(format_of(profile(12, 7'000)) == &kPprof);  // eight of its samples are enough
    CHECK(format_of(profile(1, 65'000)) == &kPprof);  // the location is within
    CHECK(format_of(profile(1, 66'000)) == nullptr);  // it is behind
}

TEST_CASE("a file of another format is taken by the first look, whatever comes later") {
    const std::string map = "7f0000001000 1a3 Foo::bar(int)\n" + std::string(70'000, ' ');
    CHECK(format_of(map) == &kPerfmap);
}

}  // namespace tracelint
