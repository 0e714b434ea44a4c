// nettrace's lane takes usual events; it must find what the checks of section 4.4 find.
#include <doctest/doctest.h>

#include "grammars/formats.hpp"
#include "grammars/nettrace/nettrace.hpp"
#include "tests/support/lane_check.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint::nettrace {
namespace {

constexpr WalkUnderTest kWalk{validate_file};

TEST_CASE("the lane sees what all checks see, in the corpus") {
    for (const auto& [name, bytes] : corpus_bytes(kNettrace)) {
        CAPTURE(name);
        check_lane(kWalk, as_bytes(bytes), bytes.size());
    }
}

TEST_CASE("the lane sees what all checks see, in generated and broken files") {
    size_t findings = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const std::string bytes = generated_bytes(kNettrace, seed);
        check_lane(kWalk, as_bytes(bytes), seed);
        const std::string broken = mutated(generator_of(kNettrace), as_bytes(bytes), seed);
        findings += check_lane(kWalk, as_bytes(broken), seed);
        findings += check_lane(kWalk, as_bytes(mutated(generator_of(kNettrace), as_bytes(broken), seed + 1)), seed);
        check_lane(kWalk, as_bytes(broken), seed, {.memory = below(random, 20'000)});
    }
    CHECK(findings > 400);
}

#ifdef TRACELINT_AGREEMENT
// Otherwise the tests above would compare the walk with itself.
TEST_CASE("events without a fault go through the lane, and none does in a plain walk") {
    const auto work = [](const std::string& bytes, WalkMode mode) {
        MemorySource source(as_bytes(bytes));
        ValidationContext context({}, {});
        Window window(source, &context.work);
        validate_file(window, context, mode);
        return context.work.total();
    };
    uint64_t plain = 0, fast = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        const std::string bytes = generated_bytes(kNettrace, seed);
        plain += work(bytes, WalkMode::plain);
        fast += work(bytes, WalkMode::fast);
    }
    CHECK(plain > fast + 40);
}
#endif

}  // namespace
}  // namespace tracelint::nettrace
