// The cache of keys that were met last.
#include "validator/memory/recent_keys.hpp"

#include <doctest/doctest.h>

#include "grammars/mlpd/checks/id_table.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMany = 1000;

template <class Keys>
uint64_t held(const Keys& keys, uint64_t count, unsigned shift) {
    uint64_t held = 0;
    for (uint64_t key = 0; key < count; ++key) held += uint64_t{keys.holds(key << shift)};
    return held;
}

}  // namespace

TEST_CASE_TEMPLATE("a cache holds no more keys than allowed, and none after it was cleared", Keys, RecentKeys<spread>,
                   RecentKeys<mlpd::scattered>) {
    WorkCounter work;
    Keys keys(8, work);
    for (int round = 0; round < 3; ++round) {
        CAPTURE(round);
        CHECK(held(keys, kMany, 0) == 0);
        for (uint64_t key = 0; key < kMany; ++key)
            if (!keys.holds(key)) keys.enter(key);
        CHECK(held(keys, kMany, 0) == 8);
        keys.clear();
    }
}

TEST_CASE_TEMPLATE("a cache holds the last key, and none that was not entered, as it grows and is cleared", Keys,
                   RecentKeys<spread>, RecentKeys<mlpd::scattered>) {
    WorkCounter work;
    Keys keys(1024, work);
    for (int round = 0; round < 3; ++round) {
        for (const uint64_t step : {1u, 8u}) {
            for (uint64_t key = 0; key < 3000 * step; key += step) {
                CAPTURE(key);
                REQUIRE(!keys.holds(key));
                keys.enter(key);
                REQUIRE(keys.holds(key));
                REQUIRE(keys.is_at_home(key));
            }
            keys.clear();
            CHECK(held(keys, 3000, step == 1 ? 0 : 3) == 0);
        }
        for (uint64_t key = 0; key < 100; ++key) keys.enter(key << 40);
        CHECK(held(keys, 100, 40) > 80);
        keys.clear();
    }
}

TEST_CASE("a key that lost its home to another comes back, and the other is not lost") {
    WorkCounter work;
    RecentKeys<spread> keys(65536, work);
    // The first two numbers whose home is the third of the eight slots that there are at first.
    uint64_t first = 0, second = 0;
    for (uint64_t key = 1; second == 0; ++key)
        if (spread(key) >> 61 == 2) (first == 0 ? first : second) = key;
    keys.enter(first);
    CHECK_FALSE(keys.bring_home(second));
    keys.enter(second);
    CHECK(keys.is_at_home(second));
    for (int times = 0; times < 100; ++times) {
        CAPTURE(times);
        if (!keys.is_at_home(first) && !keys.bring_home(first)) keys.enter(first);
        REQUIRE(keys.is_at_home(first));
        if (!keys.is_at_home(second) && !keys.bring_home(second)) keys.enter(second);
        REQUIRE(keys.is_at_home(second));
    }
    // By then the cache has grown so far that both have a home.
    CHECK(keys.is_at_home(first));
}

#ifdef TRACELINT_AGREEMENT
TEST_CASE("clearing a cache takes work for the keys that were entered, not for those that it could hold") {
    WorkCounter work;
    RecentKeys<spread> keys(4096, work);
    for (uint64_t key = 0; key < 3 * 4096; ++key) keys.enter(key);
    keys.clear();
    const uint64_t before = work.total();
    for (int times = 0; times < 1000; ++times) {
        keys.enter(7);
        keys.clear();
        REQUIRE_FALSE(keys.holds(7));
    }
    CHECK(work.total() - before == 1000);
}
#endif

}  // namespace tracelint
