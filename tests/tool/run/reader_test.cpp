// The tables of readers, their own rules, and what --for says of files.
#include "validator/readers/reader.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "fuzz/chunked_source.hpp"
#include "fuzz/tool/readers_oracle.hpp"
#include "tests/support/case_check.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/readers/reader_check.hpp"
#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

std::vector<CaseFile> reader_cases(Errors& errors) {
    std::vector<CaseFile> cases;
    for (const Format* format : tested_formats()) {
        std::vector<CaseFile> some = tested_corpus().reader_cases(*format, errors);
        std::move(some.begin(), some.end(), std::back_inserter(cases));
    }
    return cases;
}

std::vector<const TraceReader*> all_named(const std::vector<std::string>& names) {
    std::vector<const TraceReader*> readers;
    for (const std::string& name : names)
        for (const TraceReader* reader : readers_named(name)) readers.push_back(reader);
    return readers;
}

struct Judged {
    Outcome outcome;
    std::vector<ReaderVerdict> verdicts;
};

Judged judge(Source& source, const CheckOptions& options, const std::vector<const TraceReader*>& readers,
             bool is_foreign = false) {
    ReaderCheck readers_check(readers, options);
    readers_check.note_owner(is_foreign);
    Outcome outcome = check(source, readers.empty() ? options : readers_check.all_findings());
    if (!readers.empty()) readers_check.judge(outcome, source);
    return {std::move(outcome), readers_check.verdicts()};
}

TEST_CASE("a file is another user's if it is neither the user's nor root's") {
    CHECK(ReaderCheck::is_foreign(1000, 1001));
    CHECK(ReaderCheck::is_foreign(1000, 0));  // perf refuses it for root, too
    CHECK_FALSE(ReaderCheck::is_foreign(1000, 1000));
    CHECK_FALSE(ReaderCheck::is_foreign(0, 1000));
    CHECK_FALSE(ReaderCheck::is_foreign(0, 0));
}

std::string sentences(const std::string& file, const std::string& readers) {
    const std::string bytes = read_file(kRoot / "corpus" / file).value_or("");
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.file_name = file;
    std::string text;
    for (const ReaderVerdict& verdict : judge(source, options, all_named({readers})).verdicts)
        text += sentence_of(verdict) + '\n';
    return text;
}

// Of the rules of a format, and of those about containers.
std::set<std::string_view> ids_of(const Format& format) {
    std::set<std::string_view> ids;
    for (const Rule* rule : rules_of(format)) ids.insert(rule->id);
    for (const Rule* rule : input_rules())
        if (rule->of_container) ids.insert(rule->id);
    return ids;
}

bool has_field(const Record& record, std::string_view name) {
    return std::ranges::any_of(record.fields(), [&](const Field& field) {
        return field.name == name || (field.element != nullptr && has_field(*field.element, name));
    });
}

// Whether the format has a record of this name and, if one is given, with this field.
bool has_record(const Format& format, std::string_view name, std::string_view field) {
    return std::ranges::any_of(records_of(format), [&](const Record* record) {
        return record->name == name && (field.empty() || has_field(*record, field));
    });
}

// Lines of cells; none: the format has no such table.
std::vector<std::vector<std::string>> measured_table_of(const Format& format) {
    std::istringstream text(read_file(kRoot / "grammars" / format.id / "readers/measured.tsv").value_or(""));
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(text, line);) {
        std::istringstream cells(line);
        lines.emplace_back();
        for (std::string cell; std::getline(cells, cell, '\t');) lines.back().push_back(cell);
    }
    return lines;
}

// As the table has it: rule, condition and cell.
std::string line_of(const ReaderRow& row) {
    const std::string conditions = conditions_of(row);
    const bool is_mixed = row.measured.find(',') != row.measured.npos;
    const std::string cell =
        is_mixed ? fmt::format("{} ({})", to_string(row.outcome), row.measured) : std::string(row.measured);
    if (!is_mixed) CHECK_MESSAGE(row.measured.starts_with(to_string(row.outcome)), row.rule);
    return fmt::format("{} {}: {}", row.rule, conditions.empty() ? "-" : conditions, cell);
}

}  // namespace

TEST_CASE("the tables of readers name rules of their formats or of containers, each once under each condition") {
    for (const TraceReader* reader : all_readers()) {
        CAPTURE(title_of(*reader));
        const std::set<std::string_view> ids = ids_of(*reader->format);
        for (const std::span<const ReaderRow> rows : {reader->measured_rows(), reader->known}) {
            std::set<std::string> named;
            for (const ReaderRow& row : rows) {
                CHECK_MESSAGE(ids.contains(row.rule), row.rule);
                CHECK_MESSAGE(named.insert(std::string(row.rule) + conditions_of(row)).second, row.rule);
                CHECK_MESSAGE(named.contains(std::string(row.rule)), row.rule);  // the row without conditions is first
                CHECK_MESSAGE(row.outcome != ReaderOutcome::untried, row.rule);
            }
        }
        for (const std::string_view record : reader->unit_records)
            CHECK_MESSAGE(has_record(*reader->format, record, ""), record);
    }
}

TEST_CASE("readers that were measured have rows for nearly every rule of the format, measured or known") {
    for (const TraceReader* reader : all_readers()) {
        if (reader->measured == nullptr) continue;
        CAPTURE(title_of(*reader));
        const std::vector<const Rule*> rules = rules_of(*reader->format);
        const auto known =
            std::ranges::count_if(rules, [&](const Rule* rule) { return !rows_of(*reader, *rule).empty(); });
        CHECK(static_cast<size_t>(known) * 100 >= rules.size() * 90);
    }
}

TEST_CASE("the measured tables have what measured.tsv says, and each of its columns is a reader's") {
    size_t columns = 0;
    for (const Format* format : formats()) {
        const std::vector<std::vector<std::string>> lines = measured_table_of(*format);
        for (size_t column = 2; !lines.empty() && column < lines[0].size(); ++column, ++columns) {
            const std::string& head = lines[0][column];  // "perf@6.1, 2026-11-24, 2007 files"
            CAPTURE(head);
            const std::vector<const TraceReader*> readers = readers_named(head.substr(0, head.find(',')));
            const auto reader = std::ranges::find(readers, format, &TraceReader::format);
            REQUIRE(reader != readers.end());
            REQUIRE((*reader)->measured != nullptr);
            CHECK(head.find(fmt::format(", {}, ", (*reader)->measured->date)) != head.npos);
            std::vector<std::string> listed, held;
            for (size_t i = 1; i < lines.size(); ++i)
                if (const std::string& cell = lines[i].at(column); cell != "-")
                    listed.push_back(fmt::format("{} {}: {}", lines[i][0], lines[i][1], cell));
            for (const ReaderRow& row : (*reader)->measured->rows) held.push_back(line_of(row));
            CHECK(listed == held);
        }
    }
    const auto measured = [](const TraceReader* reader) { return reader->measured != nullptr; };
    CHECK(columns == static_cast<size_t>(std::ranges::count_if(all_readers(), measured)));
}

TEST_CASE("if the conditions of several rows of a rule hold, the last one wins") {
    using enum ReaderOutcome;
    const Rule& rule = *find_rule("mlpd/count-exceeds-buffer");
    const ReaderRow rows[] = {
        {rule.id, ignores},
        {rule.id, hangs, "", 0x66},
        {rule.id, crashes, "", {}, 1 << 30},
        {rule.id, drops_rest, "", {}, 0, true},
        {rule.id, misreads, "", 0x09, 0, false, 0x0f},
        {.rule = rule.id, .outcome = refuses, .record = "ALLOC"},
    };
    TraceReader reader = *readers_named("mprof-report").front();
    const Measurement measurement{"2026-11-24", rows};
    reader.measured = &measurement;
    reader.known = {};
    struct Request {
        FindingTraits finding;
        ReaderOutcome outcome;
    };
    const Request kAsked[] = {
        {{}, ignores},
        {{.kind = 0x67}, ignores},
        {{.kind = 0x66}, hangs},
        {{.kind = 0x59}, misreads},
        {{.largest = (1 << 30) - 1}, ignores},
        {{.largest = 1 << 30}, crashes},
        {{.kind = 0x66, .largest = 1 << 30}, crashes},
        {{.at_end = true}, drops_rest},
        {{.largest = 1 << 30, .at_end = true}, drops_rest},
        {{.record = "ALLOC"}, refuses},
        {{.record = "JIT"}, ignores},
    };
    for (const Request& request : kAsked) CHECK(outcome_of(reader, rule, request.finding) == request.outcome);
    CHECK(worst_outcome_of(reader, rule) == crashes);
    CHECK(worst_outcome_of(reader, *find_rule("mlpd/bad-magic")) == untried);
    CHECK(conditions_of(rows[0]).empty());
    CHECK(conditions_of(rows[1]) == "records of 0x66");
    CHECK(conditions_of(rows[2]) == "numbers from 1073741824");
    CHECK(conditions_of(rows[3]) == "at the end of the file");
    CHECK(conditions_of(rows[4]) == "records of type 0x9");
    CHECK(conditions_of(rows[5]) == "in ALLOC records");
}

TEST_CASE("hazards name records that exist, and their rules are as severe as what the reader does") {
    for (const TraceReader* reader : all_readers())
        for (const Hazard& hazard : reader->hazards) {
            CAPTURE(hazard.rule->id);
            CHECK(severity_of(hazard.outcome) == hazard.rule->severity);
            CHECK(hazard.rule->id.starts_with("reader/"));
            CHECK((hazard.of_file != nullptr || !hazard.record.empty()));
            if (!hazard.record.empty()) CHECK(has_record(*reader->format, hazard.record, hazard.field));
        }
}

TEST_CASE("every case about readers gives exactly the findings that it expects" *
          doctest::test_suite(kEachReaderCase)) {
    Errors errors;
    const std::vector<CaseFile> cases = reader_cases(errors);
    for (const std::string& error : errors) FAIL_CHECK(error);
    for (const CaseFile& file : cases)
        for (const CaseBlock& block : file.blocks) {
            const std::unique_ptr<Source> source = case_ways()[0].open(block.bytes);
            const Judged judged = judge(*source, options_of(block), all_named(block.readers), block.is_foreign);
            const std::vector<Expectation> found = expectations_of(judged.outcome);
            CHECK_MESSAGE(all_match(block.expected, found), headline(file, block)
                                                                << "\n--- expected\n"
                                                                << list_of(block.expected) << "--- found\n"
                                                                << list_of(found) << how_to_repeat(file));
        }
}

TEST_CASE("every rule of a reader has a violation and a near miss") {
    Errors errors;
    std::map<std::string_view, std::set<bool>> kinds;
    const std::vector<CaseFile> cases = reader_cases(errors);
    for (const CaseFile& file : cases)
        for (const CaseBlock& block : file.blocks) {
            const bool expects = std::ranges::any_of(
                block.expected, [&](const Expectation& expected) { return expected.rule == file.rule; });
            CHECK_MESSAGE(expects == block.is_violation, headline(file, block));
            kinds[file.rule].insert(block.is_violation);
        }
    for (const Rule* rule : reader_rules()) CHECK_MESSAGE(kinds[rule->id].size() == 2, rule->id);
    CHECK(kinds.size() == reader_rules().size());
}

TEST_CASE("every rule of a reader has an example to explain it") {
    for (const Rule* rule : reader_rules()) CHECK_MESSAGE(!example_of(*rule).empty(), rule->id);
}

TEST_CASE("readers are found by name and version, the newest for each format") {
    const auto titles = [](std::string_view word) {
        std::string text;
        for (const TraceReader* reader : readers_named(word))
            text += title_of(*reader) + " of " + std::string(reader->format->id) + "; ";
        return text;
    };
    CHECK(titles("llvm-xray") == "llvm-xray 19 of xray; ");
    CHECK(titles("llvm-xray@14") == "llvm-xray 14 of xray; ");
    CHECK(titles("perf") == "perf 7.2 of jitdump; perf 7.2 of perfmap; perf 7.2 of perfdata; ");
    CHECK(titles("mono-profiler-log") == "mono-profiler-log 6.8 of mlpd; ");
    CHECK(titles("google-pprof") == "google-pprof 2.10 of gperftools; ");
    CHECK(titles("llvm-xray@13").empty());
    CHECK(titles("gdb").empty());
    for (const TraceReader* reader : readers_named("any")) CHECK(reader->version != "14");
}

TEST_CASE("findings have the severities that they have for the reader, and for several the worst one") {
    struct Graded {
        const char* file;
        std::vector<std::string> readers;
        const char* rule;
        std::array<uint64_t, 3> counts;  // notes, warnings, errors
    };
    const Graded kGraded[] = {
        {"museum/jitdump/mono-version-2.jitdump", {"perf"}, "jitdump/unsupported-version", {0, 0, 1}},
        {"museum/jitdump/mono-version-2.jitdump", {"samply"}, "jitdump/unsupported-version", {0, 0, 0}},
        {"museum/jitdump/mono-version-2.jitdump", {"samply", "perf"}, "jitdump/unsupported-version", {0, 0, 1}},
        // It was not tried, so it keeps its own severity.
        {"museum/jitdump/mono-version-2.jitdump", {"ddprof"}, "jitdump/unsupported-version", {0, 0, 1}},
        {"museum/jitdump/linux-perf-data-size-of-8.jitdump", {"perf"}, "jitdump/record-size-too-small", {0, 1, 0}},
        {"museum/xray/profile-without-a-reader.xray", {"llvm-xray"}, "reader/llvm-xray-profile", {0, 0, 1}},
        // The row that fits counts, not the worst one of the rule.
        {"museum/xray/2-to-the-64-less-8.xray", {"llvm-xray"}, "xray/extents-exceed-file", {0, 0, 0}},
    };
    for (const Graded& graded : kGraded) {
        CAPTURE(graded.file);
        const std::string bytes = read_file(kRoot / "corpus" / graded.file).value_or("");
        MemorySource source(as_bytes(bytes));
        const Judged judged = judge(source, {}, all_named(graded.readers));
        const Rule* rule = find_rule(graded.rule);
        for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
            CHECK(judged.outcome.report().count(*rule, severity) == graded.counts[static_cast<size_t>(severity)]);
    }
}

TEST_CASE("what the user leaves out does not change what a reader does") {
    const std::string bytes = read_file(kRoot / "corpus/museum/jitdump/mono-version-2.jitdump").value_or("");
    RuleFilter ignoring, selecting;
    ignoring.ignore("jitdump/unsupported-version");
    selecting.select("jitdump/load-");
    SeverityChoices off, note;
    off.choose("jitdump/unsupported-version", std::nullopt);
    note.choose("jitdump/unsupported-version", Severity::note);
    struct Filtered {
        const RuleFilter* filter;
        const SeverityChoices* severities;
        uint64_t notes;
    };
    for (const Filtered& way :
         {Filtered{&ignoring, nullptr, 0}, {&selecting, nullptr, 0}, {nullptr, &off, 0}, {nullptr, &note, 1}}) {
        MemorySource source(as_bytes(bytes));
        CheckOptions options;
        options.report.filter = way.filter;
        options.report.severities = way.severities;
        const Judged judged = judge(source, options, readers_named("perf"));
        REQUIRE(judged.verdicts.size() == 1);
        CHECK(judged.verdicts[0].outcome == ReaderOutcome::refuses);
        CHECK(judged.outcome.report().count(Severity::error) == 0);
        CHECK(judged.outcome.report().count(Severity::note) == way.notes);
        CHECK(judged.outcome.report().diagnostics().size() == way.notes);
    }
}

TEST_CASE("no finding is more severe than what the reader does with the file") {
    for (const auto& path : std::filesystem::recursive_directory_iterator(kRoot / "corpus/museum")) {
        const auto extension = path.path().extension();
        if (!path.is_regular_file() || extension == ".case" || extension == ".pair") continue;
        const std::string bytes = read_file(path.path()).value_or("");
        if (bytes.size() > (1 << 20)) continue;
        for (const TraceReader* reader : all_readers()) {
            MemorySource source(as_bytes(bytes));
            const Judged judged = judge(source, {}, {reader});
            if (judged.verdicts.empty() || judged.verdicts[0].rule == &kOtherFormat) continue;
            const ReaderVerdict& verdict = judged.verdicts[0];
            if (verdict.untried + verdict.untried_warnings != 0) continue;
            CAPTURE(path.path().string());
            CAPTURE(sentence_of(verdict));
            const std::optional<Severity> worst = judged.outcome.report().worst();
            CHECK((worst == Severity::note ? std::nullopt : worst) == severity_of(verdict.outcome));
        }
    }
}

TEST_CASE("the sentence says what the reader does, with numbers of the file") {
    struct Expected {
        const char* file;
        const char* reader;
        const char* sentence;
    };
    const Expected kExpected[] = {
        {"jitdump/real/node-20.dump", "samply",
         "samply support-inlines loads the file, but misreads it at 0x48: line numbers are off by 0x40 bytes of code; "
         "names of functions are right (by its source)\n"},
        {"museum/jitdump/llvm-14-vma-of-0.jitdump", "perf", "perf 7.2 loads the file, with the function\n"},
        {"museum/jitdump/mono-version-2.jitdump", "perf",
         "perf 7.2 refuses the file because of the bytes at 0x4, with the function in it\n"},
        {"museum/jitdump/linux-perf-data-size-of-8.jitdump", "perf",
         "perf 7.2 stops silently at 0x79, after 1 function; the last 71 bytes are not counted\n"},
        {"museum/jitdump/lost-behind-close.jitdump", "perf",
         "perf 7.2 stops at 0xf0 and silently drops the remaining 1 of 2 functions\n"},
        {"museum/jitdump/ddprof-replaced-function.jitdump", "ddprof", "ddprof 2024 crashes at 0x95 (by a report)\n"},
        {"jitdump/real/node-22.dump", "ddprof",
         "ddprof 2024 may load the file: no finding is known to make it fail (by a report)\n"},
        {"museum/jitdump/dotnet-10-cut-stub.jitdump", "perf",
         "perf 7.2 stops at 0x75 and silently drops the remaining 1 of 2 functions\n"},
        {"museum/gperftools/three-of-99-samples.gperftools", "google-pprof",
         "google-pprof 2.10 stops at 0x80 and silently drops the remaining 2 of 5 sample records\n"},
        {"museum/jitdump/linux-perf-data-52-terabytes.jitdump", "samply",
         "samply support-inlines crashes at 0x40 (by its source)\n"},
        {"museum/jitdump/linux-perf-data-52-terabytes.jitdump", "linux-perf-data",
         "linux-perf-data 0.12 crashes at 0x40 (by its source)\n"},
        {"museum/xray/profile-without-a-reader.xray", "llvm-xray@14",
         "llvm-xray 14 refuses the file: this is a profile, and llvm-xray cannot read profiles\n"},
        {"museum/mlpd/coverage-events-thrown-away.mlpd", "mono-profiler-log",
         "mono-profiler-log 6.8 refuses the file because of the bytes at 0x6d: Mono.Profiler.Log does not know the "
         "events of code "
         "coverage (by its source)\n"},
        {"museum/mlpd/coverage-events-thrown-away.mlpd", "mprof-report", "mprof-report 6.8 loads the file\n"},
        // perf stat record: no addresses are requested.
        {"perfdata/real/perf-6.1-stat.data", "perf@6.1", "perf 6.1 loads the file\n"},
        // A table's row is about records of one kind, or about large numbers.
        {"museum/mlpd/heap-subtype-for-ever.mlpd", "mprof-report", "mprof-report 6.8 never ends: it hangs at 0xc0\n"},
        {"museum/mlpd/two-gigabytes-of-buffer.mlpd", "mprof-report", "mprof-report 6.8 crashes at 0x54\n"},
        {"museum/mlpd/no-mvid-on-unload.mlpd", "mprof-report",
         "mprof-report 6.8 loads the file, but misreads it at 0xc0: mprof-report reads the bytes after this unload "
         "as an mvid\n"},
        {"museum/mlpd/sums-of-totals.mlpd", "mprof-report",
         "mprof-report 6.8 loads the file, but misreads it at 0xc3: mprof-report adds up the values of performance "
         "counters\n"},
        {"museum/mlpd/coverage-events-thrown-away.mlpd", "perf", "perf 7.2 does not read files of this format\n"},
    };
    for (const Expected& expected : kExpected) {
        const std::string file = expected.file;
        CHECK_MESSAGE(sentences(file, expected.reader) == std::string(expected.sentence), file);
    }
}

namespace {

// A dump of functions; `broken` has another size in its header.
std::string functions(uint64_t count, uint64_t broken, uint32_t size) {
    std::string text("DTiJ\1\0\0\0\x28\0\0\0\x3e\0\0\0\0\0\0\0\x7b\0\0\0\xe8\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 40);
    const auto put = [&](uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i) text += static_cast<char>(value >> 8 * i);
    };
    for (uint64_t i = 0; i < count; ++i) {
        put(0, 4), put(i == broken ? size : 92, 4), put(1000 + i, 8);
        put(1, 4), put(1, 4), put(0x1000 + 64 * i, 8), put(0x1000 + 64 * i, 8), put(32, 8), put(i, 8);
        text += std::string("fun\0", 4) + std::string(32, '\x90');
    }
    return text;
}

std::string reported_for(const std::string& bytes) {
    MemorySource source(as_bytes(bytes));
    return sentence_of(judge(source, {}, readers_named("perf")).verdicts.at(0));
}

}  // namespace

TEST_CASE("without a version the newest reader speaks, and says where an older one differs") {
    const std::string bytes =
        read_file(kRoot / "corpus/museum/perfdata/three-gigabytes-of-host-name.perfdata").value_or("");
    const std::vector<const TraceReader*> newest = readers_named("perf@7.2"), older = readers_named("perf@6.1");
    MemorySource source(as_bytes(bytes));
    const CheckOptions options;
    ReaderCheck alone(newest, options), compared(newest, options, {}, older);
    Outcome outcome = check(source, alone.all_findings());
    alone.judge(outcome, source);
    MemorySource again(as_bytes(bytes));
    Outcome second = check(again, compared.all_findings());
    compared.judge(second, again);
    REQUIRE(alone.verdicts().size() == 1);
    REQUIRE(compared.verdicts().size() == 1);
    const std::string sentence = sentence_of(alone.verdicts()[0]);
    CHECK(sentence_of(compared.verdicts()[0]) == sentence + "; perf 6.1 loads it");
    CHECK(outcome.report().counts() == second.report().counts());
}

TEST_CASE("functions behind a fault are counted, and bytes that cannot be are named") {
    const std::string drops = "perf 7.2 stops at 0xf8d8 and silently drops the remaining 5,312 of 6,004 functions";
    CHECK(reported_for(functions(6004, 692, 8)) ==
          "perf 7.2 stops at 0xf8dc and silently drops the remaining 5,312 of 6,004 functions");
    CHECK(reported_for(functions(6004, 692, 0x7fffff00)) == drops);
    CHECK(reported_for(functions(693, 692, 0x7fffff00)) ==
          "perf 7.2 stops at 0xf8d8 and silently drops the remaining 1 of 693 functions");
    CHECK(reported_for(functions(692, kNone, 0) + std::string(48, '\xee')) ==
          "perf 7.2 stops silently at 0xf8d8, after 692 functions; the last 48 bytes are not counted");
}

TEST_CASE("why a reader drops samples is said by its own rules, and by the finding of another one") {
    ReaderVerdict verdict{.reader = readers_named("linux-perf-data@0.11").front()};
    verdict.outcome = ReaderOutcome::drops_rest;
    verdict.rule = find_rule("reader/linux-perf-data-compressed2");
    verdict.offset = 0x108;
    verdict.lost = verdict.total = 8;
    verdict.reason = "it skips COMPRESSED2";
    const std::string said = "linux-perf-data 0.11 stops at 0x108 and silently drops all 8 samples";
    CHECK(sentence_of(verdict) == said + ": it skips COMPRESSED2 (by its source)");
    verdict.rule = find_rule("perfdata/truncated-record");
    CHECK(sentence_of(verdict) == said + " (by its source)");
}

TEST_CASE("what is misread is said, and by how much, unless a second fault may spoil what is right") {
    const std::string biased =
        "perf 6.1 loads the file, but misreads it at 0x48: line numbers are off by 0x40 bytes of code; names of "
        "functions are right\n";
    CHECK(sentences("jitdump/real/lli-19.dump", "perf@6.1") == biased);
    CHECK(sentences("museum/jitdump/lines-0x40-late.jitdump", "perf@6.1") == biased);
    // Its file names are also wrong.
    CHECK(sentences("jitdump/real/node-18.dump", "perf@6.1") ==
          "perf 6.1 loads the file, but misreads it in 2 places, the first at 0x48\n");
}

TEST_CASE("a pipe that cannot be read again is not said to be loaded") {
    const std::string bytes = read_file(kRoot / "corpus/museum/xray/profile-without-a-reader.xray").value_or("");
    ChunkedSource source(as_bytes(bytes), {.seekable = false});
    const Judged judged = judge(source, {}, readers_named("llvm-xray"));
    REQUIRE(judged.verdicts.size() == 1);
    CHECK(judged.verdicts[0].outcome == ReaderOutcome::untried);
    CHECK(sentence_of(judged.verdicts[0]) ==
          "llvm-xray 19 cannot be predicted: the input is a pipe, and its records cannot be read a second time");
}

TEST_CASE("the place of a verdict must be in its file, and it loses no more than there is") {
    ReaderVerdict verdict{.reader = all_readers().front()};
    CHECK_FALSE(fault_of(verdict, 100));
    verdict.offset = 101;
    CHECK(fault_of(verdict, 100));
    verdict.offset = 100;
    CHECK_FALSE(fault_of(verdict, 100));
    verdict.lost = 1;
    CHECK(fault_of(verdict, 100));
    verdict.total = 1;
    CHECK_FALSE(fault_of(verdict, 100));
}

}  // namespace tracelint
