// The sorted table against std::map, over orders of keys that real and hostile files have.
#include "validator/memory/sorted_table.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <random>

namespace tracelint {
namespace {

struct Sorted {
    uint64_t key;
    uint64_t value;
};

struct Order {
    const char* name;
    uint64_t (*key)(uint64_t step, std::mt19937_64& random);
};

const Order kOrders[] = {
    {"ascending", [](uint64_t step, std::mt19937_64&) { return step; }},
    {"descending", [](uint64_t step, std::mt19937_64&) { return ~step; }},
    {"scattered over few keys", [](uint64_t, std::mt19937_64& random) { return random() % 300; }},
    {"scattered over all keys", [](uint64_t, std::mt19937_64& random) { return random(); }},
    {"two runs side by side",
     [](uint64_t step, std::mt19937_64&) { return step % 2 == 0 ? step : (uint64_t{1} << 63) + step; }},
    {"the ends of the number line", [](uint64_t step, std::mt19937_64&) { return step % 2 == 0 ? 0 : ~uint64_t{0}; }},
};

uint64_t key_of(const Sorted* item) { return item == nullptr ? kNone : item->key; }

template <class Table>
void check_neighbours(Table& table, const std::map<uint64_t, uint64_t>& reference, uint64_t key) {
    const auto after = reference.lower_bound(key);
    CHECK(key_of(table.at_or_after(key)) == (after == reference.end() ? kNone : after->first));
    CHECK(key_of(table.before(key)) == (after == reference.begin() ? kNone : std::prev(after)->first));
    const auto found = reference.find(key);
    REQUIRE((table.find(key) != nullptr) == (found != reference.end()));
    if (found != reference.end()) CHECK(table.find(key)->value == found->second);
}

using OfFewBlocks = SortedTable<Sorted, 8, 4>;

TEST_CASE_TEMPLATE("the table holds what std::map holds, whatever the order of inserts and erases", Table,
                   SortedTable<Sorted>, OfFewBlocks) {
    for (const Order& order : kOrders) {
        CAPTURE(order.name);
        Budget budget(100 * kMiB);
        WorkCounter work;
        Table table(budget, work);
        std::map<uint64_t, uint64_t> reference;
        std::mt19937_64 random(1);
        for (uint64_t step = 0; step < 40'000; ++step) {
            const uint64_t key = order.key(step, random);
            table.prefetch_group(key);
            table.prefetch(key);
            if (random() % 3 == 0) {
                const uint64_t gone = order.key(random() % (step + 1), random);
                table.erase(gone);
                reference.erase(gone);
            } else if (table.find(key) == nullptr) {
                REQUIRE(table.insert({key, step}));
                reference.emplace(key, step);
            }
            if (step > 2000 && step % 16 != 0) continue;
            check_neighbours(table, reference, key);
            check_neighbours(table, reference, order.key(random() % (step + 1), random));
        }
        CHECK(table.size() == reference.size());
        auto expected = reference.begin();
        table.for_each([&](const Sorted& item) { CHECK(item.key == (expected++)->first); });
    }
}

TEST_CASE("a large table can be emptied from either end") {
    for (const bool ascending : {true, false}) {
        Budget budget(100 * kMiB);
        WorkCounter work;
        SortedTable<Sorted> table(budget, work);
        constexpr uint64_t count = 50'000;
        for (uint64_t i = 0; i < count; ++i) REQUIRE(table.insert({i * 7919 % count, i}));
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t gone = ascending ? i : count - 1 - i;
            table.erase(gone);
            if (i + 1 == count) break;
            REQUIRE(key_of(table.at_or_after(0)) == (ascending ? i + 1 : 0));
            REQUIRE(key_of(table.before(kNone)) == (ascending ? count - 1 : gone - 1));
        }
        CHECK(table.empty());
        table.clear();
        CHECK(budget.allows(100 * kMiB));
        CHECK_FALSE(budget.allows(100 * kMiB + 1));
    }
}

TEST_CASE("an empty table has no neighbours") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    CHECK(table.find(1) == nullptr);
    CHECK(table.at_or_after(0) == nullptr);
    CHECK(table.before(kNone) == nullptr);
    table.erase(1);
    REQUIRE(table.insert({1, 0}));
    table.erase(1);
    CHECK(table.empty());
    CHECK(table.at_or_after(0) == nullptr);
    CHECK(table.before(kNone) == nullptr);
}

TEST_CASE("the table stops at its budget and gives it back") {
    // The second one has room for all blocks of a group, but not for another group; the third also for one more block.
    for (const uint64_t bytes : {uint64_t{64} << 10, uint64_t{132} << 10, uint64_t{133} << 10}) {
        Budget budget(bytes);
        WorkCounter work;
        SortedTable<Sorted> table(budget, work);
        uint64_t fitted = 0;
        while (table.insert({fitted, 0})) ++fitted;
        CHECK(fitted > 1000);
        CHECK(fitted < bytes / sizeof(Sorted));
        CHECK(table.find(fitted - 1) != nullptr);
        table.clear();
        CHECK(table.empty());
        CHECK(budget.allows(bytes));
        CHECK_FALSE(budget.allows(bytes + 1));
    }
}

// Even numbers in ascending order, too many for one group.
constexpr uint64_t kManyKeys = 20'000;
void fill(SortedTable<Sorted>& table) {
    for (uint64_t i = 0; i < kManyKeys; ++i) REQUIRE(table.insert({2 * i, i}));
}

TEST_CASE("in a large table each entry and its neighbours are found in any order") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    fill(table);
    for (uint64_t i = 0; i < kManyKeys; i += 9) {
        const uint64_t key = 2 + i * 7919 % (kManyKeys - 2) * 2;
        REQUIRE(key_of(table.find(key)) == key);
        REQUIRE(table.find(key + 1) == nullptr);
        REQUIRE(key_of(table.at_or_after(key + 1)) == key + 2);
        REQUIRE(key_of(table.before(key)) == key - 2);
    }
}

TEST_CASE("a cleared table can be used again") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    fill(table);
    table.clear();
    for (uint64_t i = 0; i < kManyKeys; ++i) REQUIRE(table.insert({i + kManyKeys, i}));
    for (uint64_t i = 0; i < kManyKeys; i += 9) REQUIRE(key_of(table.find(i + kManyKeys)) == i + kManyKeys);
    CHECK(table.find(kManyKeys - 1) == nullptr);
}

TEST_CASE("an erased entry is gone, wherever the previous lookup was") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    fill(table);
    constexpr uint64_t kLeft = 16'300;  // little is left of the last group
    for (uint64_t i = kManyKeys; i-- > kLeft;) table.erase(2 * i);
    CHECK(table.size() == kLeft);
    for (uint64_t i = kLeft; i < kManyKeys; ++i) {
        REQUIRE(key_of(table.find(0)) == 0);
        REQUIRE(table.find(2 * i) == nullptr);
    }
}

// A key that counts how often it is compared.
struct Counted {
    uint64_t number;
    static inline uint64_t comparisons = 0;
    bool operator==(const Counted& other) const { return ++comparisons, number == other.number; }
    std::strong_ordering operator<=>(const Counted& other) const { return ++comparisons, number <=> other.number; }
};
struct CountedItem {
    Counted key;
};

TEST_CASE("a key near the previous one is found in a few steps, any other by a binary search") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<CountedItem> table(budget, work);
    for (uint64_t i = 0; i < kManyKeys; ++i) REQUIRE(table.insert({{i}}));
    const auto steps = [&](uint64_t key) {
        const uint64_t before = Counted::comparisons;
        REQUIRE(table.find({key}) != nullptr);
        return Counted::comparisons - before;
    };
    uint64_t most = 0, most_again = 0;
    for (uint64_t i = 0; i < kManyKeys; ++i) {
        const uint64_t key = i * 7919 % kManyKeys;
        most = std::max(most, steps(key));
        most_again = std::max(most_again, steps(key));
    }
    CHECK(most_again <= 14);
    CHECK(most <= 28);
}

TEST_CASE("ascending and descending entries use little more memory than their size") {
    constexpr uint64_t kEntries = 2000;
    for (const uint64_t mask : {uint64_t{0}, kNone}) {
        CAPTURE(mask);
        Budget budget(kEntries * sizeof(Sorted) * 6 / 5);
        WorkCounter work;
        SortedTable<Sorted> table(budget, work);
        for (uint64_t i = 0; i < kEntries; ++i) REQUIRE(table.insert({i ^ mask, 0}));
    }
}

TEST_CASE("entries can be inserted before the last one, however many precede it") {
    for (uint64_t count = 1; count < 200; ++count) {
        CAPTURE(count);
        Budget budget(kMiB);
        WorkCounter work;
        SortedTable<Sorted> table(budget, work);
        for (uint64_t i = 0; i < count; ++i) REQUIRE(table.insert({i, 0}));
        REQUIRE(table.insert({2 * count, 0}));
        REQUIRE(table.insert({count, 0}));
        CHECK(key_of(table.find(2 * count)) == 2 * count);
        CHECK(key_of(table.at_or_after(count + 1)) == 2 * count);
        CHECK(key_of(table.before(2 * count)) == count);
    }
}

TEST_CASE("ascending entries also use little more memory than their size in front of others") {
    constexpr uint64_t kRun = 2000, kRuns = 4, kHigh = 1 << 20;
    Budget budget(kRuns * kRun * sizeof(Sorted) * 5 / 4);
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    for (uint64_t i = 0; i < 10; ++i) REQUIRE(table.insert({kHigh + i, 0}));
    for (uint64_t run = kRuns; run-- > 0;)  // each below the one before
        for (uint64_t i = 0; i < kRun; ++i) REQUIRE(table.insert({run * kRun + i, 0}));
}

// Those that ascend or descend a little and stop again.
TEST_CASE("short runs of entries between others use at most a few times their size") {
    constexpr uint64_t kRuns = 1000, kApart = 100'000;
    for (const uint64_t length : std::to_array<uint64_t>({1, 2, 8, 16, 17, 20, 33})) {
        for (const uint64_t mask : {uint64_t{0}, kNone}) {
            CAPTURE(length);
            CAPTURE(mask);
            Budget budget(6 * kRuns * length * sizeof(Sorted) + 8192);
            WorkCounter work;
            SortedTable<Sorted> table(budget, work);
            for (uint64_t run = kRuns; run-- > 0;)
                for (uint64_t i = 0; i < length; ++i) REQUIRE(table.insert({(run * kApart + i) ^ mask, 0}));
            CHECK(table.size() == kRuns * length);
        }
    }
}

TEST_CASE("without a search the table also holds what std::map holds") {
    for (const Order& order : kOrders) {
        CAPTURE(order.name);
        Budget budget(100 * kMiB);
        WorkCounter work;
        SortedTable<Sorted> table(budget, work);
        std::map<uint64_t, uint64_t> reference;
        std::mt19937_64 random(1);
        uint64_t appended = 0;
        for (uint64_t step = 0; step < 20'000; ++step) {
            const uint64_t key = order.key(step, random);
            if (const Sorted* const tail = table.tail_before(key); tail != nullptr && tail->key < key) {
                const auto after = reference.upper_bound(tail->key);
                REQUIRE((after == reference.end() || after->first > key));
                table.append({key, step});
                ++appended;
            } else if (key_of(table.around(key).at_or_after) != key || key == kNone) {
                if (table.find(key) != nullptr) continue;
                (void)table.around(key);
                REQUIRE(table.insert_there({key, step}));
            } else {
                continue;
            }
            reference.emplace(key, step);
        }
        CHECK(table.size() == reference.size());
        auto expected = reference.begin();
        table.for_each([&](const Sorted& item) {
            CHECK(item.key == expected->first);
            CHECK(item.value == (expected++)->second);
        });
        if (std::string_view(order.name) == "ascending") CHECK(appended > 19'000);
    }
}

TEST_CASE("entries that descend between others use at most a few times their size") {
    constexpr uint64_t kAscending = 65, kApart = 100'000, kBetween = 1000;
    Budget budget(3 * (kAscending + kBetween) * sizeof(Sorted));
    WorkCounter work;
    SortedTable<Sorted> table(budget, work);
    for (uint64_t i = 0; i < kAscending; ++i) REQUIRE(table.insert({i * kApart, 0}));
    for (uint64_t i = 1; i <= kBetween; ++i) REQUIRE(table.insert({(kAscending - 1) * kApart - i, 0}));
}

}  // namespace
}  // namespace tracelint
