// The sorted table against std::map, over orders of keys that real and hostile files have.
#include "validator/sorted_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace tracelint {
namespace {

struct Item {
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

uint64_t key_of(const Item* item) { return item == nullptr ? kNone : item->key; }

void check_neighbours(SortedTable<Item>& table, const std::map<uint64_t, uint64_t>& reference, uint64_t key) {
    const auto after = reference.lower_bound(key);
    CHECK(key_of(table.at_or_after(key)) == (after == reference.end() ? kNone : after->first));
    CHECK(key_of(table.before(key)) == (after == reference.begin() ? kNone : std::prev(after)->first));
    const auto found = reference.find(key);
    REQUIRE((table.find(key) != nullptr) == (found != reference.end()));
    if (found != reference.end()) CHECK(table.find(key)->value == found->second);
}

TEST_CASE("the table holds what std::map holds, whatever the order of inserts and erases") {
    for (const Order& order : kOrders) {
        CAPTURE(order.name);
        Budget budget(100 * kMiB);
        WorkCounter work;
        SortedTable<Item> table(budget, work);
        std::map<uint64_t, uint64_t> reference;
        std::mt19937_64 random(1);
        for (uint64_t step = 0; step < 40'000; ++step) {
            const uint64_t key = order.key(step, random);
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
        table.for_each([&](const Item& item) { CHECK(item.key == (expected++)->first); });
    }
}

TEST_CASE("a large table can be emptied from either end") {
    for (const bool ascending : {true, false}) {
        Budget budget(100 * kMiB);
        WorkCounter work;
        SortedTable<Item> table(budget, work);
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
        CHECK(budget.take(100 * kMiB));
    }
}

TEST_CASE("an empty table has no neighbours") {
    Budget budget(kMiB);
    WorkCounter work;
    SortedTable<Item> table(budget, work);
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
    // The second one has room for all blocks of a group, but not for another group.
    for (const uint64_t bytes : {uint64_t{64} << 10, uint64_t{132} << 10}) {
        Budget budget(bytes);
        WorkCounter work;
        SortedTable<Item> table(budget, work);
        uint64_t fitted = 0;
        while (table.insert({fitted, 0})) ++fitted;
        CHECK(fitted > 1000);
        CHECK(fitted < bytes / sizeof(Item));
        CHECK(table.find(fitted - 1) != nullptr);
        table.clear();
        CHECK(table.empty());
        CHECK(budget.take(bytes));
    }
}

}  // namespace
}  // namespace tracelint
