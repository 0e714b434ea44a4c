// The table of sampled addresses: small at first, then large, and exact before and after.
#include <doctest/doctest.h>

#include <map>

#include "grammars/gperftools/addresses.hpp"

namespace tracelint::gperftools {
namespace {

struct Expected {
    uint64_t first = kNone, records = 0, samples = 0;
};

// Takes the addresses in turn, twice, and compares what the table says of each.
void check_leaves(uint64_t addresses) {
    CAPTURE(addresses);
    Budget budget(kNone);
    WorkCounter work;
    Leaves leaves(budget, work);
    std::map<uint64_t, Expected> expected;
    for (uint64_t i = 0; i < 2 * addresses; ++i) {
        const uint64_t address = 0x555555000000 + 64 * (i % addresses), samples = 1 + i % 5;
        REQUIRE(leaves.add(address, samples, Slot{.offset = 16 * i}));
        Expected& entry = expected[address];
        entry.first = std::min(entry.first, 16 * i);
        ++entry.records;
        entry.samples += samples;
    }
    REQUIRE(leaves.settle());
    const std::span<const Leaf> sorted = leaves.sorted();
    REQUIRE(sorted.size() == expected.size());
    auto wanted = expected.begin();
    for (const Leaf& leaf : sorted) {
        const auto& [address, entry] = *wanted++;
        CHECK(leaf.key == address);
        CHECK(leaf.first.offset == entry.first);
        CHECK(leaf.records == entry.records);
        CHECK(leaf.samples == entry.samples);
    }
}

}  // namespace

TEST_CASE("each sampled address has its first place and its sums, however many there are") {
    check_leaves(1);
    check_leaves(50);     // fits the small table
    check_leaves(400);    // does not, but is not enough to let it grow
    check_leaves(3'000);  // fits the large table
    check_leaves(20'000);
}

TEST_CASE("the table of sampled addresses starts anew after clear(), small or large") {
    for (const uint64_t addresses : {uint64_t{50}, uint64_t{3'000}}) {
        Budget budget(kNone);
        WorkCounter work;
        Leaves leaves(budget, work);
        for (uint64_t i = 0; i < addresses; ++i) REQUIRE(leaves.add(0x1000 + 8 * i, 1, Slot{}));
        leaves.clear();
        REQUIRE(leaves.add(0x1000, 7, Slot{}));
        REQUIRE(leaves.settle());
        REQUIRE(leaves.sorted().size() == 1);
        CHECK(leaves.sorted()[0].samples == 7);
    }
}

}  // namespace tracelint::gperftools
