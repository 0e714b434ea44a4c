// The memory that the work on a file takes, as the system gave it: what its budget says, and a constant.
#include <doctest/doctest.h>

#include <optional>

#include "fuzz/oracles.hpp"
#include "fuzz/tool/readers_oracle.hpp"
#include "tests/failures/meter.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/skip.hpp"
#include "tracelint/tracelint.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/dump/renderer.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSize = kMiB / 4;      // of the files: counters and sanitizers cost time
constexpr uint64_t kConstant = 4 * kMiB;  // what a check or a dump may take in addition to its budget

struct Taken {
    uint64_t most = 0;      // bytes allocated at one time
    uint64_t budgeted = 0;  // bytes that the budget knows of
};

// Keeps as many findings as possible.
Taken taken_by_check(const std::string& bytes, uint64_t memory) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.limits.memory = memory;
    options.report.kept_per_rule = 0;
    const uint64_t before = allocated_now();
    reset_peak();
    const Outcome outcome = check(source, options);
    return {allocated_at_most() - before, outcome.context.budget.most_taken()};
}

// Bytes of the findings that a check keeps.
uint64_t memory_of_findings(const std::string& bytes, uint64_t memory) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.limits.memory = memory;
    options.report.kept_per_rule = 0;
    return check(source, options).report().memory();
}

// The same, and asks what the newest readers do with the file.
Taken taken_by_readers(const std::string& bytes, uint64_t memory) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.limits.memory = memory;
    options.report.kept_per_rule = 0;
    const std::vector<const TraceReader*> readers = some_readers(true);
    const uint64_t before = allocated_now();
    reset_peak();
    const ForReaders predicted(source, readers, options);
    return {allocated_at_most() - before, predicted.memory};
}

class NoSink final : public Sink {
  public:
    void write(std::string_view) override {}
};

Taken taken_by_dump(const std::string& bytes, uint64_t memory) {
    Limits limits;
    limits.memory = memory;
    const uint64_t before = allocated_now();
    reset_peak();
    DumpContext context(limits);
    {
        MemorySource source(as_bytes(bytes));
        OpenedInput input(source, context.budget);
        Window window(input.trace(), nullptr, &context.budget);
        NoSink sink;
        const Format* format = recognise(formats(), window, "");
        REQUIRE(format != nullptr);
        dump(window, format->framer({}), context, sink);
    }
    CHECK(context.budget.is_whole());
    return {allocated_at_most() - before, context.budget.most_taken()};
}

void hold(const std::string& what, const Taken& taken, uint64_t memory) {
    CHECK_MESSAGE(taken.most <= taken.budgeted + kConstant, what << " with " << memory << " bytes of memory takes "
                                                                 << taken.most << ", and the budget knows of "
                                                                 << taken.budgeted);
    CHECK(taken.budgeted <= memory);
}

// Asks with all of the memory and with little of it, unless all that is taken is far less than that.
template <class Ask>
void hold_within_limits(const std::string& what, Ask ask) {
    for (const uint64_t memory : {Limits{}.memory, kMiB}) {
        const Taken taken = ask(memory);
        hold(what, taken, memory);
        if (taken.budgeted < kMiB / 4) return;
    }
}

}  // namespace

TEST_CASE("a check of a hostile file takes what its budget says") {
#ifndef TRACELINT_AGREEMENT
    return skip("the peak of a budget is not known in this build");
#endif
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string bytes;
        file.write({kSize, nullptr, &bytes});
        hold_within_limits(std::string("checking ") + file.name,
                           [&](uint64_t memory) { return taken_by_check(bytes, memory); });
    }
}

// The findings of the check, which is over, are the caller's.
TEST_CASE("following readers through a hostile file takes what its budget says") {
#ifndef TRACELINT_AGREEMENT
    return skip("the peak of a budget is not known in this build");
#endif
    uint64_t number = 0;
    for (const files::HostileFile& file : files::all_hostile()) {
        if (!is_sampled(number++, 2)) continue;
        std::string bytes;
        file.write({kSize, nullptr, &bytes});
        hold_within_limits(std::string("following readers through ") + file.name, [&](uint64_t memory) {
            Taken taken = taken_by_readers(bytes, memory);
            taken.most -= std::min(taken.most, memory_of_findings(bytes, memory));
            return taken;
        });
    }
}

// A piece that a session is given may be larger than what the session may take. Such files are large, and need no
// counters.
TEST_CASE("a session takes what its budget says, however large a piece it is fed") {
#ifdef TRACELINT_AGREEMENT
    return skip("left to builds that count nothing");
#endif
    constexpr uint64_t kMemory = 8 * kMiB;
    for (const files::HostileFile& file : files::all_hostile()) {
        CAPTURE(file.name);
        std::string bytes;
        file.write({12 * kMiB, nullptr, &bytes});
        Options options;
        options.limits.memory = kMemory;
        options.kept_per_rule = 0;
        const uint64_t before = allocated_now();
        reset_peak();
        Session session(options);
        session.feed(as_bytes(bytes));
        const uint64_t when_fed = allocated_at_most() - before;
        CHECK(when_fed <= kMemory + Session::kCollected + kConstant);
        const Result result = session.finish();
        CHECK(allocated_at_most() - before <= kMemory + Session::kCollected + kConstant);
        CHECK(result.state() != nullptr);
    }
}

// Only the records of samply have indexes, whose labels are what grows with a file.
TEST_CASE("a dump of a hostile file takes what its budget says") {
#ifndef TRACELINT_AGREEMENT
    return skip("the peak of a budget is not known in this build");
#endif
    for (const files::HostileFile& file : files::hostile_samply()) {
        std::string bytes;
        file.write({kSize, nullptr, &bytes});
        hold_within_limits(std::string("dumping ") + file.name,
                           [&](uint64_t memory) { return taken_by_dump(bytes, memory); });
    }
}

TEST_CASE("a file is generated within its memory, or not at all") {
    constexpr uint64_t kTooLittle = kMiB, kEnough = 128 * kMiB, kRest = kMiB;  // kRest: what the models remember
    for (const Format* format : formats())
        for (const uint64_t memory : {kTooLittle, kEnough}) {
            CAPTURE(format->id);
            CAPTURE(memory);
            const uint64_t before = allocated_now();
            reset_peak();
            std::optional<size_t> size;
            try {
                size = bytes_of(generate(*format, {.seed = 1, .size = kMiB / 2, .memory = memory, .model = {}})).size();
            } catch (const std::bad_alloc&) {
                size.reset();  // the memory is spent
            }
            CHECK(size.has_value() == (memory == kEnough));
            CHECK(allocated_at_most() - before <= memory + memory / 8 + kRest);
        }
}

}  // namespace tracelint
