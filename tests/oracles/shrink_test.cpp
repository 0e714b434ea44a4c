// What shrink makes of the conformance corpus, of planted faults, of large files, and of anything else.
#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/shrink_oracle.hpp"
#include "tests/files/jitdump_file.hpp"
#include "tests/support/case_check.hpp"
#include "tests/support/counted_reads.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

// A violation of the corpus that shrink is to keep.
struct Violation {
    std::string title;
    std::string bytes;
    const Rule* rule = nullptr;
    Input input;
    std::string file_name;
};

// The first violation of each rule whose finding is an error or a warning about the records of a file.
std::vector<Violation> violations_of(const Format& format) {
    std::vector<Violation> violations;
    Errors errors;
    for (const CaseFile& file : corpus_cases(format, errors))
        for (const CaseBlock& block : file.blocks) {
            const auto finding = std::ranges::find(block.expected, file.rule, &Expectation::rule);
            if (!block.is_violation || finding == block.expected.end() || finding->severity == Severity::note) continue;
            const Rule* const rule = find_rule(file.rule);
            if (block.bytes.size() >= kMiB || block.has_limits() || !block.readers.empty() || rule->of_input) continue;
            Violation violation;
            violation.title = headline(file, block);
            violation.bytes = block.bytes.part(0, block.bytes.size());
            violation.rule = rule;
            violation.input.format = block.format.empty() ? nullptr : find_format(block.format);
            violation.input.settings = block.settings;
            violation.file_name = block.file_name;
            violations.push_back(std::move(violation));
            break;
        }
    CHECK(errors.empty());
    return violations;
}

Shrunk shrunk_of(const Violation& violation, bool redacts) {
    Input input = violation.input;
    input.bytes = as_bytes(violation.bytes);
    ShrinkTask task;
    task.rule = violation.rule;
    task.file_name = violation.file_name;
    task.redacts = redacts;
    return shrunk(input, task);
}

TEST_CASE("shrink keeps exactly the finding of each case, in few bytes" * doctest::test_suite(kEachFormat)) {
    std::vector<size_t> sizes;
    size_t alone = 0;
    for (const Format* format : tested_formats()) {
        std::vector<size_t> own;
        for (const Violation& violation : violations_of(*format)) {
            CAPTURE(violation.title);
            const Shrunk made = shrunk_of(violation, false);
            CHECK_MESSAGE(made.verdict == ShrinkVerdict::shrunk, made.why);
            if (made.verdict != ShrinkVerdict::shrunk) continue;
            CHECK(made.finding.rule == violation.rule);
            CHECK(made.bytes.size() <= violation.bytes.size());
            own.push_back(made.bytes.size());
            alone += made.others == 0;
            if (made.others != 0) MESSAGE(violation.title << ": " << made.others << " others");
        }
        REQUIRE(!own.empty());
        std::ranges::sort(own);
        MESSAGE(format->id << ": " << own.size() << " files, median " << own[own.size() / 2] << ", largest "
                           << own.back());
        sizes.insert(sizes.end(), own.begin(), own.end());
    }
    std::ranges::sort(sizes);
    MESSAGE("all: " << sizes.size() << " files, median " << sizes[sizes.size() / 2] << ", alone " << alone);
    CHECK(sizes[sizes.size() / 2] < 300);
    CHECK(alone * 100 >= sizes.size() * 95);
}

TEST_CASE("redaction leaves no text of a file of the corpus but those that it lists" *
          doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        size_t files = 0, listing = 0;
        for (const Violation& violation : violations_of(*format)) {
            CAPTURE(violation.title);
            const Shrunk made = shrunk_of(violation, true);
            CHECK_MESSAGE(made.verdict == ShrinkVerdict::shrunk, made.why);
            CHECK(surviving_text(*format, as_bytes(violation.bytes), made) == "");
            ++files;
            listing += !made.kept_texts.empty();
        }
        MESSAGE(format->id << ": " << files << " files, " << listing << " list texts");
    }
}

TEST_CASE("shrink keeps its promises for mutated files" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(4); ++seed) {
            CAPTURE(format->id);
            CAPTURE(seed);
            const std::string broken = mutated(generator_of(*format), as_bytes(generated_bytes(*format, seed)), seed);
            hold(shrinks({as_bytes(broken), format}, true));
            hold(shrinks({as_bytes(broken)}, false));
        }
}

TEST_CASE("a number that has the bytes of a text is kept by redaction") {
    const auto words = [](std::initializer_list<uint64_t> numbers) {
        std::string bytes;
        for (const uint64_t number : numbers)
            for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
        return bytes;
    };
    constexpr uint64_t kCount = 0x0a43472065337830;  // "0x3e GC\n": too large for Go's nanoseconds
    const std::string profile = words({0, 3, 1, 5000, 0, kCount, 1, 0x3e, 0, 1, 0});
    const std::string bytes = profile + "0x3e GC\n";
    Input input;
    input.bytes = as_bytes(bytes);
    CHECK(shrinks(input, true) == std::nullopt);
    Shrunk unchanged;
    unchanged.bytes = profile + "0x3e GD\n";
    CHECK(surviving_text(*find_format("gperftools"), as_bytes(unchanged.bytes), unchanged) == "e GD");
}

TEST_CASE("a run that is stopped leaves the smallest file so far, and none that is not redacted") {
    const std::string bytes = read_file(kRoot / "corpus/jitdump/real/node-18.dump").value_or("").substr(0, 5000);
    const Input input{as_bytes(bytes)};
    ShrinkTask task;
    task.rule = find_rule("jitdump/truncated-record");
    size_t last = bytes.size();
    for (const uint64_t checks : {2u, 4u, 8u, 16u, 32u, 1000u}) {
        CAPTURE(checks);
        task.most_checks = checks;
        task.redacts = false;
        const Shrunk made = shrunk(input, task);
        REQUIRE_MESSAGE(made.verdict == ShrinkVerdict::shrunk, made.why);
        CHECK(made.bytes.size() <= last);
        CHECK(made.checks <= checks + 2);
        CHECK(check_all({as_bytes(made.bytes)}).report().count(*task.rule) != 0);
        last = made.bytes.size();
        task.redacts = true;
        const Shrunk redacted = shrunk(input, task);
        if (checks == 2) CHECK(redacted.verdict == ShrinkVerdict::limited);
        if (redacted.verdict == ShrinkVerdict::shrunk)
            CHECK(surviving_text(*find_format("jitdump"), as_bytes(bytes), redacted) == "");
    }
    CHECK(last < 100);
}

TEST_CASE("what is located behind a record that is left out is found at its new place") {
    const Format& format = *find_format("perfdata");
    const auto name = [](const RecordValues& one) { return one.record->name; };
    // Not all recordings have features, which are at the end.
    FileRecords records;
    GenerateOptions options;
    while (std::ranges::count(records, "feature", name) < 2 || std::ranges::count(records, "COMM", name) == 0) {
        REQUIRE(options.seed < 50);
        records = generate(format, options);
        ++options.seed;
    }
    const auto lost = std::ranges::find(records, "COMM", name);
    std::vector<uint64_t> offsets;
    const std::string bytes = bytes_of(records, &offsets);
    const auto number = static_cast<size_t>(lost - records.begin());
    const Choice::Range range{offsets[number], offsets[number + 1]};
    Choice choice;
    choice.left_out = {&range, 1};
    Budget budget(kMiB);
    Edits edits(budget);
    Planner planner(*find_composition(format), choice, budget, edits);
    MemorySource source(as_bytes(bytes));
    CHECK(planner.plan(source, {}, {}).kind == Obstacle::Kind::none);
    MemorySource again(as_bytes(bytes));
    EditedSource edited(again, edits, budget);
    const Outcome outcome = tracelint::check(edited, CheckOptions{});
    CHECK(outcome.size == bytes.size() - (range.end - range.begin));
    CHECK(outcome.report().count(Severity::error) == 0);
}

// A dump of about 32 MiB with two MOVEs in the middle whose code was never loaded.
std::string large_dump() {
    std::string bytes;
    files::JitdumpFile file({.bytes = 32 * kMiB, .file = nullptr, .memory = &bytes});
    uint64_t index = 0;
    while (file.wants_more()) {
        if (file.wanted() / kMiB == 16 && index % 2 == 0) file.move_record(0x1000, 0x2000, 64, 1'000'000'000);
        file.load_record(0x400000 + 64 * index, 64, index, "function" + std::to_string(index));
        ++index;
    }
    return bytes;
}

TEST_CASE("a local fault of a large file takes few passes over it") {
    static constexpr uint64_t kMostPasses = 4;
    const std::string bytes = large_dump();
    const Rule* const rule = find_rule("jitdump/move-unknown-code-index");
    REQUIRE(rule != nullptr);
    const Outcome outcome = check_all({as_bytes(bytes)});
    const auto& found = outcome.report().diagnostics();
    REQUIRE(outcome.report().count(*rule) > 10);
    for (const bool tracks : {false, true}) {
        CAPTURE(tracks);
        MemorySource memory(as_bytes(bytes));
        CountedReads source(memory);
        ShrinkOptions options;
        options.rule = rule;
        if (tracks) options.offset = found[found.size() / 2].place.offset;
        Shrink shrink(source, options);
        REQUIRE_MESSAGE(shrink.run() == ShrinkVerdict::shrunk, shrink.why());
        CHECK(shrink.others() == 0);
        CHECK(shrink.new_size() < 300);
        CHECK(shrink.size() == bytes.size());
        CHECK(source.bytes() <= kMostPasses * bytes.size());
        MESSAGE("read " << source.bytes() / kMiB << " MiB, " << shrink.checks() << " checks");
    }
}

}  // namespace
}  // namespace tracelint
