// What salvage makes of generated files, of the corpus, of planted faults, and of anything else.
#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/salvage_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

TEST_CASE("salvage copies generated files, and writes none of the mutated ones with an error" *
          doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CAPTURE(seed);
            const std::string bytes = generated_bytes(*format, seed);
            Salvaged salvaged;
            hold(salvages({as_bytes(bytes), format}, &salvaged));
            CHECK(salvaged.verdict == SalvageVerdict::clean);
            const std::string broken = mutated(generator_of(*format), as_bytes(bytes), seed);
            hold(salvages({as_bytes(broken), format}));
            hold(salvages({as_bytes(broken)}));
            hold(salvages({as_bytes(bytes).first(bytes.size() * (seed % 16) / 16), format}));
        }
}

TEST_CASE("salvage writes no file of the corpus with an error" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            hold(salvages({as_bytes(bytes), format}));
            hold(salvages({as_bytes(bytes)}));
        }
}

// What a fault that breaks one rule in one place costs, in thousandths of the bytes. A format whose files have few
// blocks loses more.
struct Bound {
    std::string_view format;
    uint64_t median;
    uint64_t impossible;  // of a hundred files
};
constexpr Bound kBounds[] = {
    {"jitdump", 60, 10}, {"xray", 60, 20},     {"gperftools", 20, 30}, {"mlpd", 60, 20},
    {"perfmap", 60, 0},  {"perfdata", 60, 40}, {"pprof", 20, 20},      {"nettrace", 60, 30},
};

TEST_CASE("salvage loses little to a planted fault" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        const auto bound = std::ranges::find(kBounds, format->id, &Bound::format);
        REQUIRE(bound != std::end(kBounds));
        std::vector<uint64_t> lost;
        size_t errors = 0;
        for (const PlantedFault& fault : faults_of(*format)) {
            if (fault.rule->severity != Severity::error) continue;
            for (uint64_t seed = 1; seed <= seeds(2); ++seed) {
                Complaint complaint;
                GenerateOptions options;
                options.seed = seed;
                options.size = 6000;
                const std::optional<Salvaged> salvaged =
                    salvage_planted(generator_of(*format), fault, options, complaint);
                if (complaint) FAIL_CHECK(fault.rule->id << ", seed " << seed << ": " << *complaint);
                if (!salvaged || salvaged->verdict == SalvageVerdict::clean) continue;
                ++errors;
                if (salvaged->verdict == SalvageVerdict::salvaged && salvaged->size != 0)
                    lost.push_back(1000 - std::min<uint64_t>(1000, salvaged->new_size * 1000 / salvaged->size));
            }
        }
        CAPTURE(format->id);
        REQUIRE(!lost.empty());
        std::ranges::sort(lost);
        CHECK(lost[lost.size() / 2] <= bound->median);
        CHECK((errors - lost.size()) * 100 <= errors * bound->impossible);
    }
}

}  // namespace
}  // namespace tracelint
