// Budgets, scratch memory, and the work counter.
#include "validator/limits.hpp"

#include <doctest/doctest.h>

#include "validator/scratch.hpp"

namespace tracelint {
namespace {

// Whether exactly so many bytes are left.
bool has(const Budget& budget, uint64_t bytes) { return budget.allows(bytes) && !budget.allows(bytes + 1); }

}  // namespace

TEST_CASE("a budget can be spent and given back") {
    Budget budget(100);
    CHECK(budget.is_whole());
    CHECK(budget.take(60));
    CHECK_FALSE(budget.take(41));
    CHECK_FALSE(budget.is_whole());
    CHECK(has(budget, 40));
    CHECK(budget.take(40));
    budget.give_back(70);
    CHECK(has(budget, 70));
    const Budget before = budget;
    CHECK(budget.take(10));
    CHECK(budget.take(20));
    budget.return_to(before);
    CHECK(has(budget, 70));
}

#ifdef TRACELINT_AGREEMENT
TEST_CASE("the peak of a budget is known to tests") {
    Budget budget(100);
    CHECK(budget.most_taken() == 0);
    REQUIRE(budget.take(30));
    REQUIRE(budget.take(20));
    budget.give_back(50);
    REQUIRE(budget.take(10));
    CHECK_FALSE(budget.take(91));
    CHECK(budget.most_taken() == 50);
}

TEST_CASE("the bytes missing at the first refusal are known to tests") {
    Budget budget(100);
    REQUIRE(budget.take(70));
    CHECK(budget.lacked() == 0);
    CHECK_FALSE(budget.take(45));
    CHECK_FALSE(budget.take(31));
    CHECK(budget.lacked() == 15);
}

TEST_CASE("work adds up") {
    WorkCounter work;
    work.add(3);
    work.add(4);
    CHECK(work.total() == 7);
}
#endif

TEST_CASE("scratch memory is taken from the budget while it is needed") {
    Budget budget(100);
    {
        Scratch scratch(budget);
        std::vector<uint32_t> numbers, none;
        REQUIRE(scratch.assign(numbers, 10, uint32_t{7}));
        CHECK(numbers == std::vector<uint32_t>(10, 7));
        CHECK(has(budget, 60));
        CHECK_FALSE(scratch.assign(none, 16, uint32_t{7}));
        CHECK(none.empty());
        CHECK_FALSE(scratch.reserve(none, 16));
        CHECK(none.capacity() == 0);
        CHECK(has(budget, 60));
        REQUIRE(scratch.reserve(none, 15));
        CHECK(none.capacity() >= 15);
        CHECK(has(budget, 0));
    }
    CHECK(has(budget, 100));
}

}  // namespace tracelint
