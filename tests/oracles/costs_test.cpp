// What checking costs: the work and the memory that hostile files take stay within their bounds. Prints the figures.
// Only a build with agreement checks measures them.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kFileSize = uint64_t{64} << 10;

}  // namespace

TEST_CASE("hostile files stay within their bounds of work and memory" * doctest::test_suite(kEachHostileFile)) {
#ifndef TRACELINT_AGREEMENT
    return skip("work and memory are not measured in this build");
#endif
    for (const files::HostileFile& file : files::all_hostile()) {
        if (!is_tested_file(file.name)) continue;
        const std::string name = file.name;
        CAPTURE(name);
        std::string bytes;
        file.write({kFileSize, nullptr, &bytes});
        Input input{as_bytes(bytes)};
        input.kept_per_rule = kShownPerRule;  // what is remembered, not what is found
        const Outcome outcome = check_all(input);
        const uint64_t size = std::max<uint64_t>(bytes.size(), outcome.size.value_or(0));  // packed, or as it is
        const uint64_t work = outcome.context.work.total(), memory = outcome.context.budget.most_taken();
        CHECK(work > 0);
        CHECK(work <= kWorkPerByte * size + kWorkAtLeast);
        CHECK(memory <= kMemoryPerByte * size + file.constant_memory);
        CHECK(outcome.context.budget.is_whole());
        MESSAGE(name << ": " << size << " bytes, work " << work << ", memory " << memory);
    }
}

}  // namespace tracelint
