// xray's flight data recorder: function records taken in bulk give the same report as those that go through the
// machine one by one.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "grammars/xray/records.hpp"
#include "grammars/xray/xray.hpp"
#include "tests/support/edited_base.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tracelint.hpp"

namespace tracelint::xray {
namespace {

std::string report_of(const std::string& file, WalkMode mode, const Limits& limits, const Chunking& chunking) {
    ChunkedSource source(as_bytes(file), chunking);
    ValidationContext context({.kept_per_rule = 0}, limits);
    Window window(source, &context.work);
    const std::optional<HeaderFacts> header = check_header(window, context);
    if (!header || header->type != kFdrType) return {};
    validate_fdr(window, context, *header, mode);
    context.report.finish();
    std::string text;
    for (const auto& [name, count] : context.statistics) text += std::string(name) + ' ' + std::to_string(count) + '\n';
    for (const Diagnostic& d : context.report.diagnostics())
        text += std::string(d.rule->id) + ' ' + std::to_string(d.place.offset) + '+' + std::to_string(d.place.length) +
                ' ' + field_path(d.place) + ' ' + std::string(to_string(severity_of(d))) + ": " + message_of(d) + ' ' +
                std::string(d.hint) + '\n';
    return text;
}

CaseBlock block_of(const std::string& edits) { return edited_base("xray", edits); }

// A buffer of version 2 in which functions are entered and not left; all begin at one TSC.
std::string buffer_of(uint8_t seconds, uint16_t entries) {
    const auto hex = [](unsigned byte) {
        return std::string{"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    };
    const unsigned count = 48 + 8u * entries;
    std::string text = "append 0f | " + hex(count & 255) + ' ' + hex(count >> 8) +
                       " 00*13\n"
                       "append 01 | 59 1b 00 00 | 00*11\n"
                       "append 09 | " +
                       hex(seconds) +
                       " 00*7 | fa 00 00 00 | 00*3\n"
                       "append 05 | 02 00 | 88 13 00*6 | 00*5\n";
    if (entries > 0) text += "append";
    for (; entries > 0; --entries) text += " 10 00*7";
    return text + '\n';
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
         "records 14, buffers 2, threads 1, skipped bytes 20, most skipped records 2, BufferExtents 2, NewBuffer 2, "
         "WallClock 2, Pid 2, "
         "NewCPUId 2, Entry 3, Exit 1"},
        {"base fdr-2-two-buffers.hex\ndelete 0x20+16\nset 0x50 ff\ninsert 0x60 \"junk\"\n",
         "records 10, buffers 2, threads 1, skipped bytes 20, most skipped records 2, BufferExtents 1, NewBuffer 2, "
         "WallClock 2, NewCPUId 2, "
         "Entry 1, Exit 1, CallArgument 1"},
        {"base basic-3-arguments.hex\nset 0x80 02\n",
         "records 7, Exit 1, Tail_Exit 1, Entry_Args 1, argument 3, threads 2, skipped records 1"},
        {"base basic-3-arguments.hex\ndelete 0x40+64\n",
         "records 5, Entry 1, Exit 1, Tail_Exit 1, Entry_Args 1, argument 1, threads 2"},
        {"base basic-3.hex\n", "records 4, Entry 2, Exit 2, threads 1"},
        {"base profile.hex\ncut 0x1f\n", ""},
    };
    for (const Counted& counted : kCounted) {
        INFO(counted.edits);
        CHECK(statistics_of(outcome_of(block_of(std::string(counted.edits)))) == counted.statistics);
    }
}

TEST_CASE("version and byte order of xray's files are reported as far as they are there") {
    struct Detected {
        std::string_view edits;
        std::optional<uint64_t> version;
        std::optional<ByteOrder> order;
    };
    constexpr Detected kDetected[] = {
        {"base fdr-1-all-records-big-endian.hex\n", 1, ByteOrder::big},
        {"base fdr-5.hex\nset 0 06\n", 6, ByteOrder::little},  // a version that does not exist
        {"base fdr-5.hex\ncut 0x1f\n", std::nullopt, std::nullopt},
        {"base basic-2.hex\n", 2, ByteOrder::little},
        {"base profile-big-endian.hex\n", kProfileVersion, ByteOrder::big},
        {"base profile.hex\nset 8 25\n", kProfileVersion + 1, ByteOrder::little},
        {"base profile.hex\ncut 0x1f\n", std::nullopt, ByteOrder::little},
    };
    for (const Detected& detected : kDetected) {
        INFO(detected.edits);
        const Identity identity = outcome_of(block_of(std::string(detected.edits))).context.identity;
        CHECK(identity.format_version == detected.version);
        CHECK(identity.byte_order == detected.order);
    }
}

// The functions of the third buffer do not fit then, and leave room: it has more open calls than the first growth of
// their stack makes room for.
TEST_CASE("where a buffer does not fit into the memory, no later one is remembered") {
    constexpr uint64_t kSecond = 32 + 16 + 48 + 8 * uint64_t{20}, kThird = kSecond + 16 + 48 + 8 * uint64_t{20};
    CaseBlock block =
        block_of("base empty\nappend 02 00 01 00 | 03 00 00 00 | 00 5e d0 b2 00*4 | 00 00 01 00*5 | 00*8\n" +
                 buffer_of(1, 20) + buffer_of(2, 20) + buffer_of(3, 1030) + buffer_of(3, 0));
    size_t seen = 0;
    for (block.limits.memory = 0; block.limits.memory < 20'000; block.limits.memory += 8) {
        const Outcome outcome = outcome_of(block);
        std::vector<uint64_t> limits;
        bool named = false;  // the last buffer, for it is the third once more
        for (const Diagnostic& d : outcome.report().diagnostics()) {
            if (d.rule->id == "xray/tracking-limit") limits.push_back(d.place.offset);
            named = named || d.rule->id == "xray/duplicate-buffer";
        }
        if (limits.size() != 2 || limits[0] != kSecond + 16 || limits[1] <= kThird) continue;
        CAPTURE(block.limits.memory);
        CHECK_FALSE(named);
        ++seen;
    }
    CHECK(seen > 0);
}

#ifdef TRACELINT_AGREEMENT
// Otherwise the test below would compare the walk with itself.
TEST_CASE("a plain walk takes no function records in bulk") {
    constexpr uint64_t kEntries = 31;
    const CaseBlock block =
        block_of("base empty\nappend 02 00 01 00 | 03 00 00 00 | 00 5e d0 b2 00*4 | 00 00 01 00*5 | 00*8\n" +
                 buffer_of(1, kEntries));
    const auto work = [&](WalkMode mode) {
        SparseSource source(block.bytes, true);
        ValidationContext context({}, {});
        Window window(source, &context.work);
        validate_fdr(window, context, *check_header(window, context), mode);
        return context.work.total();
    };
    CHECK(work(WalkMode::plain) > work(WalkMode::fast) + kEntries / 2);  // the first ones make room for the others
}
#endif

TEST_CASE("function records taken in bulk are judged as one by one") {
    const Format& format = *find_format("xray");
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        Random random(seed);
        const FileRecords parts = generate(format, {.seed = seed, .size = between(random, 200, 9000), .model = {}});
        std::string file = bytes_of(parts);
        for (uint64_t left = below(random, 4); left > 0; --left)
            file = mutated(generator_of(format), as_bytes(file), random());
        Limits limits;
        if (one_in(random, 3)) limits.memory = pick<uint64_t>(random, {0, 1, 100, 1000, 10'000});
        const std::string plain = report_of(file, WalkMode::plain, limits, {});
        INFO("seed ", seed);
        CHECK(report_of(file, WalkMode::fast, limits, {}) == plain);
        CHECK(report_of(file, WalkMode::fast, limits, {.seed = seed, .seekable = false}) == plain);
        compared += !plain.empty();
    }
    CHECK(compared > 200);
}

}  // namespace tracelint::xray
