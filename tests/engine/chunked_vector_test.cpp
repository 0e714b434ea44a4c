// The vector of chunks: elements stay where they are, and memory comes from the budget.
#include "validator/memory/vectors.hpp"

#include <doctest/doctest.h>

namespace tracelint {
namespace {

struct Item {
    uint32_t number, square;
    uint32_t unused[3];
};
Item item_of(uint32_t number) { return {number, number * number, {}}; }

}  // namespace

TEST_CASE("a vector of chunks holds all elements where they were put") {
    Budget budget(100 * kMiB);
    ChunkedVector<Item> vector(budget);
    constexpr uint32_t kMany = 800'000;  // more than the chunks that double hold, and two large ones
    for (uint32_t i = 0; i < kMany; ++i) REQUIRE(vector.push_back(item_of(i)));
    const Item* const first = &vector[0];
    REQUIRE(vector.push_back(item_of(kMany)));
    CHECK(&vector[0] == first);
    CHECK(vector.size() == kMany + 1);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i <= kMany; ++i) wrong += vector[i].number == i && vector[i].square == i * i ? 0 : 1;
    CHECK(wrong == 0);
    const uint64_t used = 100 * kMiB - budget.left();
    CHECK(used >= kMany * sizeof(Item));
    CHECK(used < kMany * sizeof(Item) + 8 * kMiB);
}

TEST_CASE("a vector of chunks stops at its budget, and gives it back") {
    Budget budget(100'000);
    ChunkedVector<Item> vector(budget);
    CHECK_FALSE(vector.has_room());
    uint32_t fitted = 0;
    while (vector.push_back(item_of(fitted))) ++fitted;
    CHECK(fitted > 100'000 / sizeof(Item) / 3);
    CHECK(fitted <= 100'000 / sizeof(Item));
    CHECK(vector[fitted - 1].number == fitted - 1);
    vector.clear();
    CHECK(vector.size() == 0);
    CHECK_FALSE(vector.has_room());
    CHECK(budget.is_whole());
    REQUIRE(vector.push_back(item_of(7)));
    CHECK(vector.has_room());
    CHECK(vector[0].number == 7);
    vector.pop_back();
    REQUIRE(vector.push_back(item_of(8)));
    CHECK(vector.size() == 1);
    CHECK(vector[0].number == 8);
}

}  // namespace tracelint
