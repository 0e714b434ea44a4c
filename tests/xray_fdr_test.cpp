// xray's flight data recorder: function records taken in bulk give the same report as those that go through the
// machine one by one.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/random.hpp"
#include "grammars/xray/fdr_walk.hpp"
#include "grammars/xray/records.hpp"
#include "tests/corpus.hpp"
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

// What is counted of a base file with these edits, in the notation of cases.
std::string statistics_of(const std::string& edits) {
    const auto base = [](std::string_view folder, std::string_view file) {
        return read_file(kRoot / "corpus" / folder / "base" / file);
    };
    Errors errors;
    const CaseFile file =
        read_case("# spec: none\n\nnear miss: counted\n" + edits, "corpus/xray/rules/counted.case", base, errors);
    REQUIRE(file.blocks.size() == 1);  // a whole case would have more, which is an error here that does not matter
    SparseSource source(file.blocks[0].bytes, true);
    std::string text;
    for (const auto& [name, count] : check(source, options_of(file.blocks[0])).inspection.statistics)
        text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(count);
    return text;
}

}  // namespace

// Real files show most of it, but have no records of other versions, no other byte order and no faults.
TEST_CASE("what is counted of xray's files") {
    struct Counted {
        std::string_view edits, statistics;
    };
    constexpr Counted kCounted[] = {
        {"base fdr-1-all-records-big-endian.hex\n",
         "records 13, buffers 1, threads 1, NewBuffer 1, WallClock 1, NewCPUId 2, TSCWrap 1, Entry 1, Entry_Args 1, "
         "Exit 1, Tail_Exit 1, CallArgument 2, CustomEvent 1, EndOfBuffer 1"},
        {"base fdr-2-two-buffers.hex\nset 0x21 50\ninsert 0x70 13 | 00*15\n",
         "records 14, buffers 2, threads 1, BufferExtents 2, NewBuffer 2, WallClock 2, Pid 1, NewCPUId 2, Entry 2, "
         "Exit 2, CallArgument 1"},
        {"base fdr-5-two-buffers.hex\nset 0x80 ff\ninsert 0x90 \"junk\"\n",
         "records 14, buffers 2, threads 1, skipped bytes 20, BufferExtents 2, NewBuffer 2, WallClock 2, Pid 2, "
         "NewCPUId 2, Entry 3, Exit 1"},
        {"base fdr-2-two-buffers.hex\ndelete 0x20+16\nset 0x50 ff\ninsert 0x60 \"junk\"\n",
         "records 10, buffers 2, threads 1, skipped bytes 20, BufferExtents 1, NewBuffer 2, WallClock 2, NewCPUId 2, "
         "Entry 1, Exit 1, CallArgument 1"},
        {"base basic-3-arguments.hex\nset 0x80 02\n",
         "records 7, Exit 1, Tail_Exit 1, Entry_Args 1, argument 3, threads 2, skipped bytes 32"},
    };
    for (const Counted& counted : kCounted) {
        INFO(counted.edits);
        CHECK(statistics_of(std::string(counted.edits)) == counted.statistics);
    }
}

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
