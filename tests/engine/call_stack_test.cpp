// The call stack against a plain model: a list of open calls, searched from its top.
#include "validator/memory/call_stack.hpp"

#include <doctest/doctest.h>

#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

struct Bare {
    uint32_t key;
};
struct Noted {
    uint64_t key = 0;
    uint64_t note = 0;
};

class PlainStack {
  public:
    void push(uint64_t key) { open_.push_back(key); }
    CallExit leave(uint64_t key) {
        const auto found = std::find(open_.rbegin(), open_.rend(), key);
        if (found == open_.rend()) return CallExit::not_open;
        const bool top = found == open_.rbegin();
        open_.erase(std::prev(found.base()), open_.end());
        return top ? CallExit::of_top : CallExit::of_deeper;
    }
    size_t open() const { return open_.size(); }
    uint64_t top() const { return open_.back(); }

  private:
    std::vector<uint64_t> open_;
};

// One step of a run of either kind.
template <class Run, class Key, class... Rest>
bool take_step(Run& run, Key key, bool leaves, const Rest&... rest) {
    if constexpr (requires { run.room(); }) {
        using Effect = typename Run::Effect;
        return run.step(key, leaves ? Effect{static_cast<Key>(~Key{0}), -1} : Effect{0, 1}, rest...);
    } else {
        if (leaves) return run.leave(key);
        if (!run.has_room()) return false;
        run.enter(key, rest...);
        return true;
    }
}

// The quick ways to enter or to leave.
enum class Way : uint8_t { alone, in_run, in_room };

// The call with one quick way; what it leaves undone is done by the others. `rest`: what the call holds beside its key.
template <class Stack, class... Rest>
CallExit call(Stack& stack, typename Stack::Shared& shared, Way way, typename Stack::Key key, bool leaves,
              const Rest&... rest) {
    const auto quick = [&] {
        if (way == Way::alone) return stack.step(key, leaves, rest...);
        if (way == Way::in_run) {
            typename Stack::Run run(stack);
            return take_step(run, key, leaves, rest...);
        }
        typename Stack::RunInRoom run(stack);
        return run.room() > 0 && take_step(run, key, leaves, rest...);
    };
    if (quick()) return CallExit::of_top;
    if (leaves) return stack.leave(shared, key);
    return stack.push(shared, key, rest...) ? CallExit::of_top : CallExit::no_memory;
}

// Two stacks that share their counts take calls of so many keys from `lowest` on.
template <class Call, size_t Inline, class... Rest>
void check_against_plain(Way way, uint64_t lowest, const Rest&... rest) {
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        Budget budget(kNone);
        WorkCounter work;
        OpenCalls<Call> shared(budget, work);
        const auto keys = pick<uint64_t>(random, {3, 40, 5000});
        const auto entries = pick<uint64_t>(random, {4, 5, 6});  // of 10 calls
        CallStack<Call, Inline> stacks[2];
        PlainStack plain[2];
        for (int i = 0; i < 3000; ++i) {
            const uint64_t which = below(random, 2);
            const auto key = static_cast<decltype(Call::key)>(lowest + below(random, keys));
            const bool leaves = below(random, 10) >= entries;
            CallExit should = CallExit::of_top;
            if (leaves)
                should = plain[which].leave(key);
            else
                plain[which].push(key);
            REQUIRE(call(stacks[which], shared, way, key, leaves, rest...) == should);
            REQUIRE(stacks[which].open() == plain[which].open());
            if (plain[which].open() > 0) REQUIRE(stacks[which].top().key == plain[which].top());
        }
        for (auto& stack : stacks) stack.clear(shared);
        CHECK(shared.counts.empty());
        shared.counts.clear();
        CHECK(budget.allows(kNone));
    }
}

}  // namespace

TEST_CASE("a call stack equals its model, next to others that share its counts") {
    for (const Way way : {Way::alone, Way::in_run}) {
        check_against_plain<Bare, 4>(way, 0);
        check_against_plain<Noted, 0>(way, 0, uint64_t{7});
    }
    check_against_plain<Bare, 0>(Way::in_room, 1);
}

TEST_CASE_TEMPLATE("steps in a row stop where calls are counted", Run, CallStack<Noted>::Run,
                   CallStack<Noted>::RunInRoom) {
    Budget budget(kNone);
    WorkCounter work;
    OpenCalls<Noted> shared(budget, work);
    CallStack<Noted> stack;
    for (uint64_t key = 1; key <= 4; ++key) REQUIRE(stack.push(shared, key, key * 10));
    REQUIRE(stack.leave(shared, 3) == CallExit::of_deeper);
    {
        Run run(stack);
        CHECK(run.open() == 2);
        CHECK_FALSE(take_step(run, uint64_t{2}, true, uint64_t{0}));
        REQUIRE(take_step(run, uint64_t{5}, false, uint64_t{50}));
        CHECK(take_step(run, uint64_t{5}, true, uint64_t{0}));
        REQUIRE(take_step(run, uint64_t{6}, false, uint64_t{60}));
    }
    CHECK(stack.open() == 3);
    CHECK(stack.top().note == 60);
    CHECK(stack.leave(shared, 6) == CallExit::of_top);
    CHECK(stack.top().note == 20);
    CHECK(stack.leave(shared, 2) == CallExit::of_top);
    CHECK(stack.leave(shared, 1) == CallExit::of_top);
    CHECK(stack.leave(shared, 1) == CallExit::not_open);
}

TEST_CASE("a run takes as many steps as it has room for, and may leave a call even without room") {
    Budget budget(kNone);
    WorkCounter work;
    OpenCalls<Bare> shared(budget, work);
    CallStack<Bare, 4> stack;
    {
        CallStack<Bare, 4>::RunInRoom run(stack);
        size_t room = run.room();
        CHECK(room == 4);
        for (; room > 0; --room) REQUIRE(take_step(run, 7u, false));
        CHECK(run.room() == 0);
    }
    CallStack<Bare, 4>::Run run(stack);
    CHECK_FALSE(take_step(run, 7u, false));
    CHECK(take_step(run, 7u, true));
}

TEST_CASE("the cost of exits that match nothing does not depend on the depth") {
    Budget budget(kNone);
    WorkCounter work;
    OpenCalls<Bare> shared(budget, work);
    CallStack<Bare> stack;
    for (uint32_t key = 1; key <= 50'000; ++key) REQUIRE(stack.push(shared, key));
    const uint64_t before = work.total();
    for (uint32_t i = 0; i < 50'000; ++i) REQUIRE(stack.leave(shared, 60'000 + i) == CallExit::not_open);
    CHECK(work.total() - before <= 4 * 100'000);
    CHECK(stack.open() == 50'000);
}

TEST_CASE("a call stack reports a spent budget, and gives its memory back") {
    Budget budget(10'000);
    WorkCounter work;
    OpenCalls<Bare> shared(budget, work);
    CallStack<Bare> stack;
    uint32_t key = 1;
    while (stack.push(shared, key)) REQUIRE(++key < 10'000);
    CHECK(key > 100);
    CHECK(stack.leave(shared, key) == CallExit::no_memory);
    CHECK(stack.open() == key - 1);
    stack.clear(shared);
    shared.counts.clear();
    CHECK(stack.open() == 0);
    CHECK(budget.allows(10'000));
    REQUIRE(stack.push(shared, 1));
    CHECK(stack.leave(shared, 1) == CallExit::of_top);
}

TEST_CASE("entering and leaving the innermost call takes the fast path while there is room") {
    using Stack = CallStack<Bare, 4>;
    for (const Way way : {Way::alone, Way::in_run}) {
        CAPTURE(static_cast<int>(way));
        Budget budget(kNone);
        WorkCounter work;
        OpenCalls<Bare> shared(budget, work);
        Stack stack;
        const auto step = [&](uint32_t key, bool leaves) {
            if (way == Way::alone) return stack.step(key, leaves);
            typename Stack::Run run(stack);
            return take_step(run, key, leaves);
        };
        for (uint32_t key = 1; key <= 4; ++key) CHECK(step(key, false));
        CHECK_FALSE(step(5, false));
        // An exit that does not match the top makes the calls below it counted, and those take the slow path.
        REQUIRE(stack.leave(shared, 2) == CallExit::of_deeper);
        CHECK_FALSE(step(1, true));
        for (uint32_t key = 2; key <= 4; ++key) CHECK(step(key, false));
        CHECK_FALSE(step(5, false));
        for (uint32_t key = 4; key >= 2; --key) CHECK(step(key, true));
        CHECK(stack.open() == 1);
    }
}

TEST_CASE("without an open call nothing is left, not even the key 0") {
    Budget budget(kNone);
    WorkCounter work;
    OpenCalls<Bare> shared(budget, work);
    CallStack<Bare> stack;
    for (const uint32_t key : {0u, 1u}) CHECK(stack.leave(shared, key) == CallExit::not_open);
    CHECK(stack.open() == 0);
}

// Knows what memory its stacks have, and can refuse more.
struct Watched {
    uint32_t key;

    static inline uint64_t held = 0, requests = 0;
    static inline bool refuses = false;
    static void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
        if (refuses) return nullptr;
        ++requests;
        held += bytes;
        auto* const block = static_cast<size_t*>(std::malloc(kHead + bytes));
        *block = bytes;
        return reinterpret_cast<char*>(block) + kHead;
    }
    static void operator delete[](void* memory) noexcept {
        auto* const block = reinterpret_cast<size_t*>(static_cast<char*>(memory) - kHead);
        held -= *block;
        std::free(block);
    }

  private:
    static constexpr size_t kHead = 16;
};

TEST_CASE("the budget accounts for the memory of a call stack, and gets all of it back") {
    constexpr uint64_t kAll = 1 << 20;
    Budget budget(kAll);
    WorkCounter work;
    OpenCalls<Watched> shared(budget, work);
    {
        CallStack<Watched, 2> stack, kept;
        Watched::requests = 0;
        for (uint32_t key = 1; key <= 10'000; ++key) {
            REQUIRE(stack.push(shared, key));
            REQUIRE(budget.allows(kAll - Watched::held));
            REQUIRE_FALSE(budget.allows(kAll - Watched::held + 1));
        }
        CHECK(Watched::requests < 20);  // it grows in proportion
        CHECK(stack.leave(shared, 9'998) == CallExit::of_deeper);
        stack.clear(shared);
        CHECK(shared.counts.empty());
        shared.counts.clear();
        CHECK(Watched::held == 0);
        CHECK(budget.allows(kAll));
        CHECK_FALSE(budget.allows(kAll + 1));
        for (uint32_t key = 1; key <= 10; ++key) REQUIRE(kept.push(shared, key));
        CHECK(Watched::held > 0);
    }
    CHECK(Watched::held == 0);
}

TEST_CASE("a deep stack keeps its calls as it grows, and gives its memory back") {
    struct Call {
        uint64_t key = 0, number = 0;
    };
    constexpr uint64_t kAll = 64 * kMiB, kCalls = kMiB;  // 16 MiB of calls
    Budget budget(kAll);
    WorkCounter work;
    OpenCalls<Call> shared(budget, work);
    CallStack<Call> stack;
    for (uint64_t key = 1; key <= kCalls; ++key) REQUIRE(stack.push(shared, key, 3 * key));
    REQUIRE_FALSE(budget.allows(kAll - kCalls * sizeof(Call) + 1));
    for (uint64_t key = kCalls; key > 0; --key) {
        REQUIRE(stack.top().number == 3 * key);
        REQUIRE(stack.leave(shared, key) == CallExit::of_top);
    }
    stack.clear(shared);
    CHECK(budget.allows(kAll));
    REQUIRE(stack.push(shared, 1, uint64_t{1}));  // it can be used again
    CHECK(stack.top().key == 1);
}

TEST_CASE("if the system refuses memory, the call stack and the budget stay as they are") {
    Budget budget(10'000);
    WorkCounter work;
    OpenCalls<Watched> shared(budget, work);
    CallStack<Watched, 2> stack;
    REQUIRE(stack.push(shared, 1));
    REQUIRE(stack.push(shared, 2));
    Watched::refuses = true;
    CHECK_FALSE(stack.push(shared, 3));
    Watched::refuses = false;
    CHECK(budget.allows(10'000));
    CHECK(stack.open() == 2);
    CHECK(stack.top().key == 2);
}

}  // namespace tracelint
