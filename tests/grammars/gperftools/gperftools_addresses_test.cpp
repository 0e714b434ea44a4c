// The address memory of gperftools' walk: small tables, which grow, in front of sorted ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "grammars/formats.hpp"
#include "grammars/gperftools/checks/java.hpp"
#include "grammars/gperftools/checks/profile.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::gperftools {
namespace {

constexpr uint64_t kMuch = uint64_t{1} << 40;

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

// In rounds that each begin with nothing known.
void add_and_forget(const std::vector<uint64_t>& addresses) {
    Budget budget(kMuch);
    WorkCounter work;
    Callers callers(budget, work);
    Leaves leaves(budget, work);
    for (size_t round = 0; round < 6; ++round) {
        for (const uint64_t address : addresses) CHECK(!callers.knows(address));
        std::set<uint64_t> wanted;
        for (size_t i = 0; i < addresses.size(); ++i) {
            // Another order and others missing in each round.
            const uint64_t address = addresses[(round * 5 + i * 7) % addresses.size()];
            if ((i + round) % 5 == 0) continue;
            wanted.insert(address);
            for (size_t times = 0; times < 2; ++times) {
                if (!callers.knows(address)) REQUIRE(callers.add(address, {.offset = 8 * i + times}));
                CHECK(callers.knows(address) == (address != 0));
                REQUIRE(leaves.add(address, 3, {.offset = 8 * i + times}));
            }
        }
        REQUIRE(leaves.settle());
        REQUIRE(leaves.settle());
        std::set<uint64_t> called, sampled;
        for (const Caller& caller : callers.sorted()) {
            called.insert(caller.key);
            CHECK(caller.first.offset % 8 == 0);
        }
        for (const Leaf& leaf : leaves.sorted()) {
            sampled.insert(leaf.key);
            CHECK((leaf.first.offset % 8 == 0 && leaf.records == 2 && leaf.samples == 6));
        }
        CHECK((called == wanted && sampled == wanted && leaves.sorted().size() == wanted.size()));
        if (round % 2 == 0) {
            callers.clear();
            leaves.clear();
        } else {
            callers.release();
            leaves.release();
            CHECK((budget.allows(kMuch) && !budget.allows(kMuch + 1)));
        }
        // Entries that are not settled are also forgotten.
        REQUIRE(leaves.add(5, 1, {}));
        round % 2 == 0 ? leaves.clear() : leaves.release();
        REQUIRE(leaves.settle());
        CHECK((leaves.sorted().empty() && callers.sorted().empty()));
        REQUIRE(leaves.add(5, 1, {}));
        REQUIRE(leaves.settle());
        CHECK((leaves.sorted().size() == 1 && leaves.sorted()[0].records == 1));
        leaves.clear();
    }
    Budget nothing(0);
    Leaves lost(nothing, work);
    CHECK((lost.add(1, 1, {}) && !lost.settle()));
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

TEST_CASE("gperftools: every distinct address is remembered with its first slot and its counts") {
    Random random(5);
    Budget budget(kMuch);
    WorkCounter work;
    Callers callers(budget, work);
    Leaves leaves(budget, work);
    for (const uint64_t distinct : {1u, 3u, 100u, 5000u, 300000u}) {
        struct Seen {
            uint64_t first = 0, records = 0, samples = 0;
        };
        std::map<uint64_t, Seen> wanted_leaves, wanted_callers;
        for (uint64_t offset = 1; offset < 200'000; ++offset) {
            const uint64_t address = 16 * below(random, distinct), samples = below(random, 9);
            const Slot slot{.offset = offset};
            if (one_in(random, 4)) {
                REQUIRE(leaves.add(address, samples, slot));
                Seen& seen = wanted_leaves.try_emplace(address, Seen{offset}).first->second;
                ++seen.records;
                seen.samples += samples;
            } else {
                if (!callers.knows(address)) REQUIRE(callers.add(address, slot));
                wanted_callers.try_emplace(address, Seen{offset});
            }
        }
        REQUIRE(leaves.settle());
        auto leaf = wanted_leaves.begin();
        auto caller = wanted_callers.begin();
        size_t addresses = 0;
        for_each_address(leaves, callers, [&](uint64_t address, const Leaf* as_leaf, const Caller* as_caller) {
            ++addresses;
            if (as_leaf != nullptr) {
                REQUIRE(leaf != wanted_leaves.end());
                CHECK(
                    (leaf->first == address && as_leaf->key == address && as_leaf->first.offset == leaf->second.first));
                CHECK((as_leaf->records == leaf->second.records && as_leaf->samples == leaf->second.samples));
                ++leaf;
            }
            if (as_caller != nullptr) {
                REQUIRE(caller != wanted_callers.end());
                CHECK((caller->first == address && as_caller->first.offset == caller->second.first));
                ++caller;
            }
        });
        CHECK((leaf == wanted_leaves.end() && caller == wanted_callers.end()));
        std::set<uint64_t> all;
        for (const auto& [address, seen] : wanted_leaves) all.insert(address);
        for (const auto& [address, seen] : wanted_callers) all.insert(address);
        CHECK(addresses == all.size());
        leaves.clear();
        callers.clear();
    }
    leaves.release();
    callers.release();
    CHECK((budget.allows(kMuch) && !budget.allows(kMuch + 1)));
}

TEST_CASE("gperftools: a pile has each key once, and grows only if that does not make room") {
    struct Entry {
        uint64_t key = 0, times = 0;
        void absorb(const Entry& later) { times += later.times; }
    };
    constexpr uint64_t kFirst = uint64_t{64} * 2 * sizeof(Entry);  // what the first 64 entries cost
    const struct {
        const char* what;
        uint64_t memory, distinct, added;
        bool fits;
        uint64_t left;
    } piles[] = {
        {"the first entry needs room for 64", kFirst - 1, 1, 1, false, kFirst - 1},
        {"64 fit into it", kFirst, 64, 64, true, 0},
        {"65 do not", kFirst, 65, 65, false, 0},
        {"few keys come as often as they like", kFirst, 10, 5000, true, 0},
        {"when it is full with 48 keys, a quarter is free", kFirst, 48, 65, true, 0},
        {"with 49 it is not", kFirst, 49, 65, false, 0},
        {"with 32 keys it does not ask for more", 9 * kFirst, 32, 65, true, 8 * kFirst},
        {"with 33 it does", 9 * kFirst, 33, 65, true, 7 * kFirst},
        {"growing takes the new room before the old one is given back", 3 * kFirst, 65, 65, true, kFirst},
        {"so less is not enough", 3 * kFirst - 1, 65, 65, false, 2 * kFirst - 1},
        {"it doubles", 6 * kFirst, 129, 129, true, 2 * kFirst},
    };
    for (const auto& p : piles) {
        CAPTURE(p.what);
        Budget budget(p.memory);
        WorkCounter work;
        {
            MergeBuffer<Entry> pile(budget, work);
            bool fits = true;
            for (uint64_t i = 0; fits && i < p.added; ++i) fits = pile.add({1000 - i % p.distinct, 1});
            CHECK(fits == p.fits);
            CHECK((budget.allows(p.left) && !budget.allows(p.left + 1)));
            if (fits) {
                uint64_t times = 0, key = 1000 - p.distinct;
                for (const Entry& entry : pile.sorted()) {
                    CHECK(entry.key == ++key);
                    times += entry.times;
                }
                CHECK((key == 1000 && times == p.added));
                pile.clear();
                CHECK((pile.sorted().empty() && !budget.allows(p.left + 1)));
                pile.release();
                CHECK((budget.allows(p.memory) && !budget.allows(p.memory + 1)));
                CHECK((pile.add({1, 1}) && pile.sorted().size() == 1 && !budget.allows(p.memory)));
            }
        }
        CHECK((budget.allows(p.memory) && !budget.allows(p.memory + 1)));
    }
}

// The small tables of addresses that were met lately must not remember those of the profile before.
TEST_CASE("gperftools: addresses with the same place in the small tables are distinguished, and forgotten") {
    // All homes of a group of four; and only the last one of the first group, where address 0 also has its home.
    for (const auto& [group, first_home] : {std::pair(77, 0), std::pair(0, 3)}) {
        std::map<uint64_t, std::vector<uint64_t>> by_home;
        for (uint64_t address = 2; address < 3'000'000; ++address) {
            const uint64_t home = (address * kSpread) >> 48;
            if (home / 4 == static_cast<uint64_t>(group) && home % 4 >= static_cast<uint64_t>(first_home))
                by_home[home].push_back(address);
        }
        REQUIRE(by_home.size() == static_cast<size_t>(4 - first_home));
        std::vector<uint64_t> addresses = {0, 1};
        for (const auto& [home, of] : by_home) addresses.insert(addresses.end(), of.begin(), of.begin() + 6);
        add_and_forget(addresses);
    }
}

TEST_CASE("gperftools: a new return address is noticed wherever it stands among known ones") {
    constexpr uint64_t kDepth = 12;
    std::string bytes;
    const auto put = [&](uint64_t word) {
        uint8_t stored[8];
        store(stored, 8, ByteOrder::little, word);
        bytes.append(reinterpret_cast<const char*>(stored), 8);
    };
    const auto record = [&](uint64_t place, uint64_t address) {
        put(1);
        put(kDepth);
        for (uint64_t i = 0; i < kDepth; ++i) put(i == place ? address : 0x401000 + 16 * i);
    };
    for (const uint64_t word : {0u, 3u, 0u, 10000u, 0u}) put(word);
    record(kNone, 0);
    for (uint64_t place = 0; place < kDepth; ++place) record(place, 0x402000 + 16 * place);
    for (const uint64_t word : {0u, 1u, 0u}) put(word);
    CheckOptions options;
    options.format = &kGperftools;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    const std::pair<std::string_view, uint64_t> addresses{"distinct addresses", 2 * kDepth};
    CHECK(std::ranges::find(outcome.context.statistics, addresses) != outcome.context.statistics.end());
}

}  // namespace tracelint::gperftools
