// Compares a walk's lane with the plain walk, in which every record goes through its table and machine.
#pragma once

#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "tests/support/corpus.hpp"
#include "validator/format.hpp"
#include "validator/input/window.hpp"

namespace tracelint {

// All that a walk found.
struct WalkResult {
    std::vector<std::string> findings;  // in the notation of cases
    std::vector<std::string> messages;  // theirs
    std::vector<std::array<uint64_t, 4>> numbers;
    std::vector<uint64_t> related;  // the offsets that they refer to
    std::vector<std::pair<std::string_view, uint64_t>> statistics;
    std::vector<std::array<uint64_t, 6>> functions;  // facts for the checks between files
    bool operator==(const WalkResult&) const = default;
};

struct WalkUnderTest {
    void (*validate)(Window&, ValidationContext&, WalkMode);
    bool gives_facts = false;  // also in its lane
};

inline WalkResult result_of(const WalkUnderTest& walk, WalkMode mode, Source& source, const Limits& limits = {}) {
    ReportOptions options;
    options.kept_per_rule = 0;
    ValidationContext context(options, limits);
    Window window(source, &context.work, &context.budget);
    Budget budget(limits.memory);
    Facts facts(budget);
    if (walk.gives_facts) context.facts = &facts;
    walk.validate(window, context, mode);
    context.report.finish();
    WalkResult result;
    for (const Diagnostic& diagnostic : context.report.diagnostics()) {
        result.findings.push_back(line_of(expectation_of(diagnostic)));
        result.messages.push_back(message_of(diagnostic));
        result.numbers.push_back(diagnostic.numbers);
        result.related.push_back(diagnostic.related_offset);
    }
    for (const CodeFunction& one : facts.dump.functions)
        result.functions.push_back(
            {one.at.offset, one.at.index, one.time, one.start, one.index, uint64_t{one.size} << 32 | one.pid});
    result.statistics = context.statistics;
    return result;
}

// Checks that both modes find the same, and that the lane also does so in chunks. Returns the number of findings.
inline size_t check_lane(const WalkUnderTest& walk, Bytes bytes, uint64_t seed, const Limits& limits = {}) {
    MemorySource whole(bytes), again(bytes);
    const WalkResult plain = result_of(walk, WalkMode::plain, whole, limits),
                     fast = result_of(walk, WalkMode::fast, again, limits);
    CHECK(fast.findings == plain.findings);
    CHECK(fast == plain);
    ChunkedSource pieces(bytes, {.seed = seed, .seekable = seed % 2 == 0});
    CHECK(result_of(walk, WalkMode::fast, pieces, limits).findings == plain.findings);
    return plain.findings.size();
}

}  // namespace tracelint
