// xray's call stack against its plain reading: a list of open functions, searched from its top.
#include "grammars/xray/calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/random.hpp"

namespace tracelint::xray {
namespace {

using Exit = CallStack::Exit;

class PlainStack {
  public:
    void push(uint32_t id) { open_.push_back(id); }
    Exit exit(uint32_t id) {
        const auto found = std::find(open_.rbegin(), open_.rend(), id);
        if (found == open_.rend()) return Exit::not_open;
        const bool top = found == open_.rbegin();
        open_.erase(std::prev(found.base()), open_.end());
        return top ? Exit::of_top : Exit::of_deeper;
    }
    size_t open() const { return open_.size(); }

  private:
    std::vector<uint32_t> open_;
};

// Enters or leaves, by the quick way where it is open.
Exit call(CallStack& stack, OpenCalls& shared, uint32_t id, bool leaves) {
    if (stack.step(id, leaves)) return Exit::of_top;
    if (leaves) return stack.exit(shared, id);
    return stack.push(shared, id) ? Exit::of_top : Exit::no_memory;
}

}  // namespace

TEST_CASE("a call stack is what its plain reading is, beside others that share its counts") {
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        Budget budget(kNone);
        WorkCounter work;
        OpenCalls shared(budget, work);
        const uint32_t ids = static_cast<uint32_t>(pick(random, {3, 40, 5000}));
        const uint64_t entries = pick<uint64_t>(random, {4, 5, 6});  // of 10 calls
        CallStack first(1), second(2);
        PlainStack plain[2];
        for (int i = 0; i < 3000; ++i) {
            const uint64_t which = below(random, 2);
            CallStack& stack = which == 0 ? first : second;
            const auto id = static_cast<uint32_t>(1 + below(random, ids));
            const bool leaves = below(random, 10) >= entries;
            const Exit is = call(stack, shared, id, leaves);
            Exit should = Exit::of_top;
            if (leaves)
                should = plain[which].exit(id);
            else
                plain[which].push(id);
            REQUIRE(is == should);
            REQUIRE(stack.open() == plain[which].open());
        }
    }
}

TEST_CASE("exits that match nothing cost the same however deep the stack is") {
    Budget budget(kNone);
    WorkCounter work;
    OpenCalls shared(budget, work);
    CallStack stack;
    for (uint32_t id = 1; id <= 50'000; ++id) REQUIRE(stack.push(shared, id));
    const uint64_t before = work.total();
    for (uint32_t i = 0; i < 50'000; ++i) REQUIRE(stack.exit(shared, 60'000 + i) == Exit::not_open);
    CHECK(work.total() - before <= 4 * 100'000);
    CHECK(stack.open() == 50'000);
}

TEST_CASE("a call stack says when the memory is spent, and gives it back") {
    Budget budget(10'000);
    WorkCounter work;
    OpenCalls shared(budget, work);
    CallStack stack;
    uint32_t id = 1;
    while (stack.push(shared, id)) REQUIRE(++id < 10'000);
    CHECK(id > 100);
    stack.drop(shared);
    CHECK(stack.open() == 0);
    CHECK(budget.allows(10'000));
    REQUIRE(stack.push(shared, 1));
    CHECK(stack.exit(shared, 1) == Exit::of_top);
}

}  // namespace tracelint::xray
