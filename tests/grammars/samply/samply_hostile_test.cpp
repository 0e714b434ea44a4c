// Trees of inlined calls whose ranges come in the worst order: the work stays linear.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "grammars/jitdump/samply/records.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

class Numbers {
  public:
    Numbers& operator()(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        text.append(reinterpret_cast<const char*>(bytes), width);
        return *this;
    }
    std::string text;
};

// Starts of disjoint ranges of 2 bytes, every third byte; shuffled.
std::vector<uint32_t> shuffled_starts(uint32_t count, uint64_t seed) {
    std::vector<uint32_t> starts(count);
    for (uint32_t i = 0; i < count; ++i) starts[i] = 3 * i;
    Random random(seed);
    for (uint32_t i = count; i > 1; --i) std::swap(starts[i - 1], starts[below(random, i)]);
    return starts;
}

// A function with one tree: `levels` calls, each inside of the one before, all of the same ranges.
std::string file_of(uint32_t levels, uint32_t ranges) {
    const uint64_t code = 3 * uint64_t{ranges}, tree = 48 + 4 + 4 + 20 + levels * (20 + 8 * uint64_t{ranges});
    Numbers file;
    file(0x4A695444, 4)(1, 4)(40, 4)(62, 4)(0, 4)(7, 4)(1, 8)(0, 8);
    file(samply::kTreeId, 4)(tree, 4)(2, 8)(1, 4)(4, 4)(1, 4)(4, 4)(1, 4)(levels, 4)(levels * ranges, 4)(0, 4);
    file('f', 4)('f', 4)(0, 4)(0, 4)(1, 4)(1, 4)(0, 4);
    for (uint32_t depth = 0; depth < levels; ++depth) file(depth, 4)(ranges, 4)(0, 4)(1, 4)(1, 4);
    for (uint32_t depth = 0; depth < levels; ++depth)
        for (const uint32_t start : shuffled_starts(ranges, depth)) file(start, 4)(2, 4);
    file(0, 4)(57 + code, 4)(3, 8)(7, 4)(7, 4)(0x1000, 8)(0x1000, 8)(code, 8)(1, 8)(0, 1);
    file.text.append(code, '\x90');
    return file.text;
}

}  // namespace

TEST_CASE("the work on a tree does not depend on the order of its ranges") {
    for (const uint32_t levels : {1u, 2u, 8u, 64u})
        for (const uint32_t kilobytes : {8u, 64u, 1024u}) {
            const std::string file = file_of(levels, kilobytes * 128 / levels);
            const Complaint complaint = never_crash({as_bytes(file), nullptr});
            CHECK_MESSAGE(!complaint, levels << " levels, " << kilobytes << " KiB: " << *complaint);
            CHECK(check_all({as_bytes(file), nullptr}).report().count(Severity::warning) == 0);
        }
}

}  // namespace tracelint
