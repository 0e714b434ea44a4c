// Budgets, scratch memory, and the work counter.
#include "validator/memory/limits.hpp"

#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/input/window.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/rule.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// Whether exactly so many bytes are left.
bool has(const Budget& budget, uint64_t bytes) { return budget.left() == bytes && budget.allows(bytes); }

constexpr Rule kSomeRule{
    .id = "x/some-rule",
    .severity = Severity::error,
    .statement = "s",
    .message = "m",
    .why = "w",
    .spec = "1",
    .since = "0.1.0",
};

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

TEST_CASE("what is lasting stays taken where a part of a file gives everything back") {
    Budget budget(100);
    REQUIRE(budget.take_lasting(10));
    const Budget before = budget;
    CHECK(budget.take(20));
    CHECK(budget.take_lasting(30));
    CHECK_FALSE(budget.take_lasting(41));
    budget.return_to(before);
    CHECK(has(budget, 60));
    budget.give_back_lasting(35);
    const Budget later = budget;
    budget.give_back_lasting(5);
    budget.return_to(later);
    CHECK(budget.is_whole());
}

TEST_CASE("a small allocation costs what malloc gives for it") {
    CHECK(allocation_cost(1) == 32);
    CHECK(allocation_cost(24) == 32);
    CHECK(allocation_cost(25) == 48);
    CHECK(allocation_cost(40) == 48);
    CHECK(allocation_cost(41) == 64);
}

TEST_CASE("a vector takes its memory from a budget before it grows") {
    Budget budget(100);
    {
        BudgetedVector<uint64_t> numbers(budget);
        for (uint64_t number = 0; number < 4; ++number) REQUIRE(numbers.push_back(number));
        CHECK(has(budget, 100 - 4 * 8));
        CHECK(numbers.charged() == 4 * 8);
        CHECK(numbers.push_back(4));  // for a moment there are 4 old elements and room for 8
        CHECK(has(budget, 100 - 8 * 8));
        CHECK(numbers.reserve(8));
        CHECK_FALSE(numbers.reserve(9));
        CHECK(has(budget, 100 - 8 * 8));
        CHECK(numbers.size() == 5);
        CHECK(numbers.back() == 4);
        numbers.pop_back();
        numbers.keep_first(2);
        CHECK(std::vector<uint64_t>(numbers.begin(), numbers.end()) == std::vector<uint64_t>{0, 1});
        numbers.clear();
        CHECK(numbers.empty());
        CHECK(has(budget, 100 - 8 * 8));
        BudgetedVector<uint64_t> others(budget);
        REQUIRE(others.push_back(7));
        others.swap(numbers);
        CHECK(numbers[0] == 7);
        others.release();
        CHECK(has(budget, 100 - 4 * 8));
    }
    CHECK(budget.is_whole());
}

TEST_CASE("a window takes what it grows by from a budget, and says what it can afford") {
    const std::string input(8 * kMiB, 'x');
    Budget budget(6 * kMiB);
    {
        MemorySource source(as_bytes(input));
        Window window(source, nullptr, &budget);
        CHECK(window.affordable(kFreeWindow / 2) == kFreeWindow / 2);
        const uint64_t most = window.affordable(kNone);
        CHECK(most > 3 * kMiB);  // a buffer of 4 MiB; beside it, one of 8 MiB is too much
        CHECK(most < 4 * kMiB);
        CHECK(window.affordable(most + 1) == most);
        CHECK(window.view(100, kFreeWindow / 2).size() >= kFreeWindow / 2);
        CHECK(budget.is_whole());
        CHECK(window.view(100, static_cast<size_t>(most)).size() >= most);
        CHECK(has(budget, 2 * kMiB));
        CHECK(window.affordable(kNone) == most);
        CHECK_THROWS_AS(window.view(100, 5 * kMiB), std::bad_alloc);
    }
    CHECK(budget.is_whole());
}

TEST_CASE("a report keeps as many findings as a budget allows for, counts all, and has room to name a limit") {
    constexpr uint64_t kMost = 2 * kFreeFindings, kLeft = 16, kSpare = 2 * kLeft;
    static constexpr Rule kLimit = tracking_limit("x/tracking-limit", "1", false);
    Budget budget(kMost * sizeof(Diagnostic));
    Report report({.kept_per_rule = 0});
    report.charge_to(budget);
    for (uint64_t i = 0; i < kFreeFindings - kSpare; ++i) report.add<kSomeRule>({.offset = i});
    CHECK(budget.is_whole());
    for (uint64_t i = kFreeFindings - kSpare; i < 2 * kMost; ++i) report.add<kSomeRule>({.offset = i});
    CHECK(has(budget, 0));
    for (uint64_t i = 0; i < 2 * kLeft; ++i) report.add<kLimit>({.offset = i}, {1});
    for (uint64_t i = 0; i < 2 * kLeft; ++i) report.add(kGzipTrailingData, {.offset = i});
    CHECK(report.finish());
    CHECK_FALSE(report.finish());
    CHECK(budget.is_whole());
    CHECK(report.diagnostics().size() == kMost - 1);
    CHECK(report.count(kSomeRule) == 2 * kMost);
    CHECK(report.not_kept().at(kSomeRule.id) == kMost + kSpare);
    CHECK(report.not_kept().at(kLimit.id) == kLeft);
    CHECK(report.not_kept().at(kGzipTrailingData.id) == kLeft + 2);
    CHECK(report.count(kInputTrackingLimit) == 1);
    CHECK_FALSE(report.not_kept().contains(kInputTrackingLimit.id));
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
    ScratchMemory memory(budget);
    {
        Scratch scratch(memory);
        ScratchVector<uint32_t> numbers, none;
        REQUIRE(scratch.assign(numbers, 10, uint32_t{7}));
        CHECK(std::ranges::equal(numbers, std::vector<uint32_t>(10, 7)));
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

TEST_CASE("scratch vectors never share their bytes, however long they are and in whatever order they get them") {
    Budget budget(kMiB);
    ScratchMemory memory(budget);
    const auto holds = [](const ScratchVector<uint32_t>& vector, uint32_t value) {
        return !vector.empty() && std::ranges::all_of(vector, [=](uint32_t item) { return item == value; });
    };
    for (const uint64_t count : std::initializer_list<uint64_t>{1, 100, 3'000, 9'000}) {
        CAPTURE(count);
        Scratch outer(memory);
        ScratchVector<uint32_t> first, late, next;
        REQUIRE(outer.assign(first, count, 1u));
        {
            Scratch inner(memory);
            ScratchVector<uint32_t> second, third;
            REQUIRE(inner.assign(second, count, 2u));
            REQUIRE(outer.assign(late, count, 3u));  // outlives what was made after it
            REQUIRE(inner.assign(third, count, 4u));
            CHECK((holds(second, 2) && holds(third, 4)));
        }
        REQUIRE(outer.assign(next, count, 5u));
        CHECK((holds(first, 1) && holds(late, 3) && holds(next, 5)));
    }
    CHECK(has(budget, kMiB));
}

}  // namespace tracelint
