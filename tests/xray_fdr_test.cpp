// xray's flight data recorder: function records taken in bulk give the same report as those that go through the
// machine one by one.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/random.hpp"
#include "grammars/xray/fdr_walk.hpp"
#include "grammars/xray/records.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::xray {
namespace {

std::string report_of(const std::string& file, Pace pace, const Limits& limits, const Chunking& chunking) {
    ChunkedSource source(as_bytes(file), chunking);
    Inspection inspection({.kept_per_rule = 0}, limits);
    Window window(source, &inspection.work);
    const std::optional<HeaderFacts> header = check_header(window, inspection);
    if (!header || header->type != kFdrType) return {};
    validate_fdr(window, inspection, *header, pace);
    inspection.report.finish();
    std::string text;
    for (const auto& [name, count] : inspection.statistics)
        text += std::string(name) + ' ' + std::to_string(count) + '\n';
    for (const Diagnostic& d : inspection.report.diagnostics())
        text += std::string(d.rule->id) + ' ' + std::to_string(d.place.offset) + '+' + std::to_string(d.place.length) +
                ' ' + field_path(d.place) + ' ' + std::string(to_string(severity_of(d))) + ": " + message_of(d) + ' ' +
                std::string(d.hint) + '\n';
    return text;
}

}  // namespace

TEST_CASE("function records taken in bulk are judged as one by one") {
    const Format& format = *find_format("xray");
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        Random random(seed);
        const Drafts parts = generate(format, {.seed = seed, .size = between(random, 200, 9000), .model = {}});
        std::string file = bytes_of(parts);
        for (uint64_t left = below(random, 4); left > 0; --left) file = mutated(format, as_bytes(file), random());
        Limits limits;
        if (one_in(random, 3)) limits.memory = pick<uint64_t>(random, {0, 1, 100, 1000, 10'000});
        const std::string plain = report_of(file, Pace::plain, limits, {});
        INFO("seed ", seed);
        CHECK(report_of(file, Pace::fast, limits, {}) == plain);
        CHECK(report_of(file, Pace::fast, limits, {.seed = seed, .seekable = false}) == plain);
        compared += !plain.empty();
    }
    CHECK(compared > 200);
}

}  // namespace tracelint::xray
