// nettrace's short way for usual events must find what the checks of section 4.4 find.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "grammars/formats.hpp"
#include "grammars/nettrace/nettrace.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint::nettrace {
namespace {

struct Seen {
    std::vector<std::string> findings;
    std::vector<std::array<uint64_t, 4>> numbers;  // what they say
    std::vector<std::pair<std::string_view, uint64_t>> statistics;
    bool operator==(const Seen&) const = default;
};

Seen seen_at(WalkMode mode, Source& source) {
    ReportOptions options;
    options.kept_per_rule = 0;
    ValidationContext context(options, {});
    Window window(source, &context.work, &context.budget);
    validate_file(window, context, mode);
    context.report.finish();
    Seen seen;
    for (const Diagnostic& diagnostic : context.report.diagnostics()) {
        seen.findings.push_back(line_of(expectation_of(diagnostic)));
        seen.numbers.push_back(diagnostic.numbers);
    }
    seen.statistics = context.statistics;
    return seen;
}

// Whether both modes see the same, in one piece and in several.
void check_modes(Bytes bytes, uint64_t seed) {
    MemorySource whole(bytes), again(bytes);
    const Seen plain = seen_at(WalkMode::plain, whole), fast = seen_at(WalkMode::fast, again);
    CHECK(fast.findings == plain.findings);
    CHECK(fast == plain);
    ChunkedSource pieces(bytes, {.seed = seed, .seekable = seed % 2 == 0});
    CHECK(seen_at(WalkMode::fast, pieces).findings == plain.findings);
}

TEST_CASE("both ways find the same in the corpus") {
    for (const auto& [name, bytes] : corpus_bytes(kNettrace)) {
        CAPTURE(name);
        check_modes(as_bytes(bytes), bytes.size());
    }
}

TEST_CASE("both ways find the same in generated and broken files") {
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const std::string bytes = generated_bytes(kNettrace, seed);
        check_modes(as_bytes(bytes), seed);
        const std::string broken = mutated(generator_of(kNettrace), as_bytes(bytes), seed);
        check_modes(as_bytes(broken), seed);
        check_modes(as_bytes(mutated(generator_of(kNettrace), as_bytes(broken), seed + 1)), seed);
    }
}

}  // namespace
}  // namespace tracelint::nettrace
