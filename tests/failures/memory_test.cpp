// The memory that the work on a file takes, as the system gave it: what its budget says, and a constant.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/failures/meter.hpp"
#include "tests/files/hostile.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSize = 2 * kMiB;      // of a file
constexpr uint64_t kConstant = 4 * kMiB;  // what every check may take in addition to its budget

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

}  // namespace

TEST_CASE("a check of a hostile file takes what its budget says") {
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string bytes;
        file.write({kSize, nullptr, &bytes});
        for (const uint64_t memory : {Limits{}.memory, kMiB}) {
            const Taken taken = taken_by_check(bytes, memory);
            CHECK_MESSAGE(taken.most <= taken.budgeted + kConstant,
                          std::string(file.name) << " with " << memory << " bytes of memory takes " << taken.most
                                                 << ", and the budget knows of " << taken.budgeted);
            CHECK(taken.budgeted <= memory);
        }
    }
}

}  // namespace tracelint
