// Hostile files of every format, small ones: the work and the memory that they take grow as they do. scripts/complexity
// does this for large ones, and everything_test.cpp asks for their dumps.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSmallLength = uint64_t{64} << 10;
// Both fit into one window. Beyond it, large records are read twice or moved, which is a step in the work and no
// growth.
constexpr uint64_t kOnce = kWindow / 4, kTwice = 2 * kOnce;
constexpr double kMostGrowth = 2.2;  // for a doubling of the file

struct Cost {
    double bytes, work, memory;
};

void hold_never_crash(const files::HostileFile& file, uint64_t bytes) {
    std::string content;
    file.write({bytes, nullptr, &content});
    const Complaint complaint = never_crash({as_bytes(content), nullptr});
    CHECK_MESSAGE(!complaint, *complaint);
}

Cost check_one(const files::HostileFile& file, uint64_t bytes) {
    std::string content;
    file.write({bytes, nullptr, &content});
    Input input{as_bytes(content)};
    input.kept_per_rule = kShownPerRule;  // what is remembered, not what is found
    const Outcome outcome = check_all(input);
    const ValidationContext& context = outcome.context;
    CHECK(outcome.format != nullptr);
    CHECK(context.limit_hit == file.reaches_limit);
    return {static_cast<double>(content.size()), static_cast<double>(context.work.total()),
            static_cast<double>(context.budget.most_taken())};
}

}  // namespace

TEST_CASE("work and memory grow no faster than hostile files do") {
#ifndef TRACELINT_AGREEMENT
    return skip("work and memory are not measured in this build");
#endif
    for (const files::HostileFile& file : files::all_hostile()) {
        CAPTURE(std::string(file.name));
        hold_never_crash(file, kSmallLength);
        const Cost one = check_one(file, kOnce), two = check_one(file, kTwice);
        const double most = kMostGrowth * two.bytes / one.bytes / 2;
        CHECK(two.work <= most * one.work);
        const auto constant = static_cast<double>(file.constant_memory);
        CHECK(one.memory <= kMemoryPerByte * one.bytes + constant);
        CHECK(two.memory <= kMemoryPerByte * two.bytes + constant);
    }
}

TEST_CASE("hostile files are about as long as they were asked to be") {
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string content;
        file.write({kSmallLength, nullptr, &content});
        CHECK_MESSAGE(content.size() > kSmallLength * 3 / 4, file.name);
        CHECK_MESSAGE(content.size() < kSmallLength * 3, file.name);
    }
}

}  // namespace tracelint
