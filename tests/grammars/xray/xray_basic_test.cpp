// xray's basic mode: records taken in bulk give the same report as those that go through the machine one by one.
#include "grammars/xray/machine_basic.hpp"
#include "grammars/xray/xray.hpp"

#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint::xray {
namespace {

struct Settled {
    HeaderFacts header;
    std::string bytes;  // the header's included
};

// A file of few functions and threads, some records of which are damaged.
Settled draw_file(Random& random) {
    Settled file;
    file.header.order = pick(random, {ByteOrder::little, ByteOrder::big});
    file.header.version = static_cast<uint16_t>(between(random, 1, kNewestBasic));
    file.bytes.assign(kHeaderSize, '\0');
    const uint64_t functions = pick<uint64_t>(random, {2, 4, 50}), threads = pick<uint64_t>(random, {1, 2, 600});
    const uint64_t damage = pick<uint64_t>(random, {3, 30, 100'000}), lowest = pick<uint64_t>(random, {0, 1, 1});
    uint64_t tsc = 1000;
    const std::string nothing(kBasicSize, '\0');
    RecordValues last = decode_values(kBasicFunction, as_bytes(nothing), {.order = file.header.order}, true);
    for (uint64_t left = pick<uint64_t>(random, {5, 200, 3000}); left > 0; --left) {
        const bool is_argument = one_in(random, 8);
        RecordValues draft = last;
        if (is_argument) {
            draft = decode_values(kBasicArgument, as_bytes(nothing), {.order = file.header.order}, true);
            draft.set("type", 1);
            for (const std::string_view field : {"function_id", "thread_id", "process_id"})
                draft.set(field, last.number(field) + (one_in(random, 20) ? 1 : 0));
        } else {
            tsc = one_in(random, 50) ? tsc - below(random, 9) : tsc + below(random, 9);
            draft.set("cpu", below(random, 2));
            draft.set("action", below(random, 4));
            draft.set("function_id", lowest + below(random, functions));
            draft.set("tsc", tsc);
            draft.set("thread_id", below(random, threads));
            draft.set("process_id", 7 + (one_in(random, 9) ? 1 : 0));
            last = draft;
        }
        std::string bytes;
        encode(draft, bytes);
        if (one_in(random, damage)) bytes[below(random, bytes.size())] = static_cast<char>(edge_number(random, 8));
        file.bytes += bytes;
    }
    if (one_in(random, 4)) file.bytes.resize(between(random, kHeaderSize, file.bytes.size()));
    return file;
}

void append(std::string& bytes, uint64_t action, uint64_t function, uint64_t tsc, uint64_t thread) {
    const std::string nothing(kBasicSize, '\0');
    RecordValues draft = decode_values(kBasicFunction, as_bytes(nothing), {.order = ByteOrder::little}, true);
    draft.set("action", action);
    draft.set("function_id", function);
    draft.set("tsc", tsc);
    draft.set("thread_id", thread);
    encode(draft, bytes);
}

std::string report_of(const Settled& file, WalkMode mode, const Limits& limits, const Chunking& chunking) {
    ChunkedSource source(as_bytes(file.bytes), chunking);
    ValidationContext context({.kept_per_rule = 0}, limits);
    Window window(source, &context.work);
    validate_basic(window, context, file.header, mode);
    context.report.finish();
    std::string text;
    for (const auto& [name, count] : context.statistics) text += std::string(name) + ' ' + std::to_string(count) + '\n';
    for (const Diagnostic& d : context.report.diagnostics())
        text += std::string(d.rule->id) + ' ' + std::to_string(d.place.offset) + '+' + std::to_string(d.place.length) +
                ' ' + field_path(d.place) + ' ' + std::string(to_string(severity_of(d))) + ": " + message_of(d) + '\n';
    return text;
}

}  // namespace

TEST_CASE("basic records taken in bulk are judged as one by one") {
    for (uint64_t seed = 1; seed <= seeds(100); ++seed) {
        Random random(seed);
        const Settled file = draw_file(random);
        Limits limits;
        if (one_in(random, 4)) limits.memory = below(random, 20'000);
        const std::string plain = report_of(file, WalkMode::plain, limits, {});
        INFO("seed ", seed);
        CHECK(report_of(file, WalkMode::fast, limits, {}) == plain);
        CHECK(report_of(file, WalkMode::fast, limits, {.seed = seed, .seekable = false}) == plain);
    }
}

TEST_CASE("where a thread does not fit into the memory, none is followed from there on") {
    constexpr uint64_t kThreads = 40;
    Settled file{{.version = kNewestBasic}, std::string(kHeaderSize, '\0')};
    for (uint64_t thread = 1; thread <= kThreads; ++thread)
        for (const uint64_t tsc : {100u, 50u}) append(file.bytes, kEntry, 1, tsc, thread);
    bool both = false;  // some threads fit, but not all
    std::string text;
    for (Limits limits{.memory = 0}; limits.memory == 0 || text.find("tracking-limit") != text.npos;
         limits.memory += 40) {
        CAPTURE(limits.memory);
        REQUIRE(limits.memory < 100'000);
        text = report_of(file, WalkMode::fast, limits, {});
        const size_t limit = text.find("tracking-limit");
        CHECK((text.find("\nthreads " + std::to_string(kThreads)) == text.npos) == (limit != text.npos));
        CHECK((text.find("\nthreads ") == text.npos) == (limit != text.npos));
        if (limit == text.npos) continue;
        both = both || text.find("basic-tsc-backwards") < limit;
        CHECK(text.find("basic-tsc-backwards", limit) == text.npos);
        CHECK(text.find("tracking-limit", limit + 1) == text.npos);
    }
    CHECK(both);
}

TEST_CASE("functions that do not fit into the memory leave all of it to the threads") {
    constexpr uint64_t kThreads = 100;
    Settled flat{{.version = kNewestBasic}, std::string(kHeaderSize, '\0')}, deep = flat;
    for (uint64_t depth = 1; depth <= 2000; ++depth) {
        append(deep.bytes, kEntry, depth, 100, 1);
        if (depth == 10) append(deep.bytes, kExit, 5000, 100, 1);  // after it, what is open is counted
    }
    for (uint64_t thread = 1; thread <= kThreads; ++thread) {
        append(flat.bytes, kEntry, 1, 100, thread);
        if (thread != 1) append(deep.bytes, kEntry, 1, 100, thread);
    }
    Limits just_enough{.memory = 0};
    while (report_of(flat, WalkMode::fast, just_enough, {}).find("tracking-limit") != std::string::npos)
        just_enough.memory += 8;
    const std::string text = report_of(deep, WalkMode::fast, just_enough, {});
    const size_t limit = text.find("tracking-limit");
    REQUIRE(limit != text.npos);
    CHECK(text.find("basic-exit-mismatch") < limit);
    CHECK(text.find("tracking-limit", limit + 1) == text.npos);
    CHECK(text.find("\nthreads " + std::to_string(kThreads)) != text.npos);
}

TEST_CASE("every record of a basic file has its edge, and the walk stops at none but the last") {
    for (size_t state = 0; state < static_cast<size_t>(BasicPhase::stopped); ++state)
        for (size_t symbol = 0; symbol < static_cast<size_t>(BasicSymbol::count_); ++symbol) {
            const auto& edge = kBasicMachine.table[state][symbol];
            INFO(kBasicPhaseNames[state], ", ", kBasicSymbolNames[symbol]);
            const auto phase = static_cast<BasicPhase>(state);
            const auto what = static_cast<BasicSymbol>(symbol);
            // The first argument of a file without a function record before it, and the others after one.
            const bool is_at_start = phase == BasicPhase::start || phase == BasicPhase::start_reported;
            const bool is_after_fault = phase == BasicPhase::faulty || phase == BasicPhase::faulty_arguments;
            const bool is_impossible =
                is_argument(what) && !is_after_fault && is_at_start != (what == BasicSymbol::first_argument);
            CHECK((edge.recovery == Recovery::impossible) == is_impossible);
            if (!is_impossible) CHECK((edge.to == BasicPhase::stopped) == (edge.recovery == Recovery::stop));
        }
}

}  // namespace tracelint::xray
