#include "tests/support/lane_check.hpp"

#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "validator/facts.hpp"
#include "validator/generator/case_file.hpp"
#include "validator/input/window.hpp"

namespace tracelint {

WalkResult result_of(const WalkUnderTest& walk, WalkMode mode, Source& source, const Limits& limits) {
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

size_t check_lane(const WalkUnderTest& walk, Bytes bytes, uint64_t seed, const Limits& limits) {
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
