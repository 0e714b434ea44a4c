// Expectations: the findings of a run that wrote too little, and of a healthy one; the names and statistics of files.
#include "validator/tool/options/expectations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "fuzz/containers.hpp"
#include "tests/support/corpus.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/input/source.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tool/run/folder_complaints.hpp"

namespace tracelint {
namespace {

std::string file_of(const std::string& path) { return content_of(paths::root() + "/corpus/" + path); }

Expectations expectations_of(const std::string& json) {
    size_t bytes = 0;
    return read_expectations(parse_located_json(json), false, bytes);
}

// The messages of the findings about expectations, one per line.
std::string unmet(const std::string& bytes, const std::string& json, const Limits& limits = {}) {
    const Expectations expectations = expectations_of(json);
    FileDemands demands;
    demands.add(expectations);
    DemandCheck check_of_demands(demands);
    CheckOptions options;
    options.limits = limits;
    options.expectations = &check_of_demands;
    MemorySource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    CHECK(outcome.context.names == nullptr);
    std::string messages;
    for (const Diagnostic& finding : outcome.report().diagnostics()) {
        if (!finding.rule->id.starts_with("expect/")) continue;
        CHECK(severity_of(finding) == Severity::error);
        CHECK(finding.place.offset == 0);
        CHECK(finding.place.length == 0);
        messages += std::string(finding.rule->id) + ": " + message_of(finding) + '\n';
    }
    return messages;
}

constexpr std::string_view kDump = "jitdump/real/php-8.2-stubs.dump";

TEST_CASE("an unmet expectation is an error, one that is just met is not") {
    const struct {
        std::string_view file, expected, unmet;
    } cases[] = {
        {kDump, R"("jitdump")", ""},
        {kDump, R"("xray")", "expect/format: the file is not in the expected format, xray\n"},
        // One finding is enough: what another format calls its records does not matter.
        {kDump, R"({"format": "mlpd", "statistics": {"ENTER": 1}, "names": "x"})",
         "expect/format: the file is not in the expected format, mlpd\n"},
        {kDump, R"({"statistics": {"LOAD": 37, "records": 1, "MOVE": 0}})", ""},
        {kDump, R"({"statistics": {"LOAD": 100000}})",
         "expect/statistic: the statistic LOAD is 37; expected at least 100000\n"},
        {kDump, R"({"statistics": {"MOVE": 1}})", "expect/statistic: the statistic MOVE is 0; expected at least 1\n"},
        {kDump, R"({"statistics": {"ENTER": 1}})", "expect/statistic: the statistic ENTER is 0; expected at least 1\n"},
        {kDump, R"({"names": ["*", "JIT$$leave_*"]})", ""},
        {kDump, R"({"names": ["*", "no such name", "JIT$$leave"]})",
         "expect/name: none of the 37 names of functions in the file matches 'no such name'\n"
         "expect/name: none of the 37 names of functions in the file matches 'JIT$$leave'\n"},
    };
    for (const auto& [file, expected, messages] : cases) {
        CAPTURE(file);
        CAPTURE(expected);
        CHECK(unmet(file_of(std::string(file)), std::string(expected)) == messages);
    }
}

TEST_CASE("an empty file and a foreign one have one error") {
    CHECK(unmet("", R"({"format": "jitdump", "statistics": {"LOAD": 1}})").empty());
    CHECK(unmet("#!/bin/sh\n", R"({"names": "*"})").empty());
    MemorySource source{Bytes{}};
    CHECK(check(source, {}).report().count(Severity::error) == 1);
}

TEST_CASE("a file of no known format is not of the expected one, unless it is known to be something else") {
    const Workplace run;
    const std::string comm("\3\0\0\0\0\0\x18\0\1\0\0\0\1\0\0\0name\0\0\0\0", 24);
    write(run / "ring", comm + comm + comm + comm + comm);
    write(run / "a.heap", "heap_v2/1\n");
    write(run / "noise", "\1\2\3\4\5\6\7");
    const auto errors = [&](const std::string& arguments) {
        const Run one = run(arguments);
        CHECK(has(one.out, ": 1 error: unknown format, "));
        return one.out;
    };
    CHECK(has(errors("--expect perfdata ring"), "[expect/format]"));
    CHECK(has(errors("--expect perfdata ring"), "ring buffer"));
    CHECK(has(errors("--expect perfdata noise"), "expected format, perfdata [expect/format]"));
    CHECK(has(errors("--expect perfdata a.heap"), "[input/unknown-format]"));
    CHECK(has(errors("--expect perfdata --ignore expect/format noise"), "[input/unknown-format]"));
    CHECK(has(errors("noise"), "[input/unknown-format]"));
}

TEST_CASE("what the end of a truncated container may hold is not missing") {
    const std::string whole = gzip_member(file_of(std::string(kDump)));
    const std::string expected = R"({"statistics": {"MOVE": 1}, "names": "no such name"})";
    CHECK(lines_of(unmet(whole, expected)) == 2);
    CHECK(unmet(whole.substr(0, whole.size() - 20), expected).empty());
}

TEST_CASE("a limit adds no expectation that is not met") {
    const std::string file = file_of(std::string(kDump));
    for (const char* expected : {R"({"names": "*"})", R"({"statistics": {"LOAD": 37}})", R"({"names": ["*", "x*x"]})",
                                 R"({"statistics": {"LOAD": 38}})"}) {
        CAPTURE(expected);
        CHECK(unmet(file, expected, Limits{.record = 1}).empty());
    }
    CHECK(unmet(file, R"("xray")", Limits{.record = 1}).starts_with("expect/format: "));
    const Workplace run;
    write(run / "a.dump", clean());
    write(run / ".tracelint.json", R"({"expect": {"names": "*", "statistics": {"LOAD": 38}}})");
    const Run limited = run("--max-record 1 --output concise a.dump");
    CHECK(limited.status == 4);
    CHECK_FALSE(has(limited.out, "expect/"));
    CHECK(has(run("--output concise a.dump").out, "[expect/statistic]"));
}

TEST_CASE("of a file that ends too early, that is the one error") {
    // The header and the first bytes of a LOAD.
    const std::string cut_file = file_of(std::string(kDump)).substr(0, 40 + 60);
    const auto errors_of = [&](const std::string& options) {
        const Workplace run;
        write(run / "a.dump", cut_file);
        write(run / ".tracelint.json", R"({"expect": {"names": "*", "statistics": {"LOAD": 1}}})");
        return run("--min-severity error --output concise " + options + " a.dump").out;
    };
    CHECK(lines_of(errors_of("")) == 1);
    CHECK(has(errors_of(""), "[jitdump/truncated-record]"));
    // Findings about the end are off, or do not fail the run: missing records still do.
    for (const char* options : {"--off jitdump/truncated-record", "--warning jitdump/truncated-record"}) {
        CHECK(lines_of(errors_of(options)) == 1);
        CHECK(has(errors_of(options), "[expect/statistic]"));
    }
    // Nor are names missed where records are.
    CHECK(has(errors_of("--off jitdump/truncated-record,expect/statistic"), "[expect/name]"));
}

TEST_CASE("names of traces are those for which the hooks are run") {
    const std::string hooks = content_of(paths::root() + "/.pre-commit-hooks.yaml");
    const size_t start = hooks.find("files: ") + 7;
    std::string pattern = hooks.substr(start, hooks.find('\n', start) - start);
    REQUIRE(has(pattern, "xray-log"));
    const std::regex hook_pattern(pattern);
    const struct {
        std::string_view path;
        bool is_trace;
    } cases[] = {
        {"a.dump", true},
        {"x/jit-7.dump.gz", true},
        {"a.mlpd.zst", true},
        {"a.prof", true},
        {"x/y/a.xray", true},
        {"xray-log.app.Ab12", true},
        {"x/xray-log.gz", true},
        {"perf.data", true},
        {"x/perf-old.data.zst", true},
        {"perf-12.map", true},
        {"x/perf-12.map.gz", true},
        {".dump", true},
        {"README.md", false},
        {"dump", false},
        {"a.dump.txt", false},
        {"a.dump.gz.zst", false},
        {"x.dump/a", false},
        {"my-xray-log.a", false},
        {"xray-log.", false},
        {"data", false},
        {"x.data", false},
        {"my-perf.data", false},
        {"perf-.map", false},
        {"perf-x.map", false},
        {"my-perf-12.map", false},
        {"", false},
    };
    for (const auto& [path, is_trace] : cases) {
        CAPTURE(path);
        CHECK(is_named_like_trace(path) == is_trace);
        CHECK(std::regex_search(std::string(path), hook_pattern) == is_trace);
    }
}

TEST_CASE("where traces are expected, one that is empty, a pointer or rubbish is also an error in a folder") {
    const Workplace run;
    fs::create_directories(run / "g");
    write(run / "g/a.dump", clean());
    write(run / "g/README.md", "no trace");
    write(run / "g/.gitkeep", "");
    const auto configured = [&](const std::string& json) { write(run / ".tracelint.json", json); };
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n";
    const struct {
        std::string_view name, content, finding;
    } cases[] = {
        {"b.dump", std::string_view("\0\0\0\0\1\0\0\0", 8), "g/b.dump:0x0"},
        {"c.dump", "", "g/c.dump:0x0+0: error: the file is empty: the writer wrote nothing [input/empty]"},
        {"no-extension", "", "g/no-extension:0x0+0: error: the file is empty"},
        {"pointer", pointer, "g/pointer:0x0"},
        {"d.mlpd.gz", "\x1f\x8b rubbish", "[gzip/corrupt]"},
    };
    for (const char* json :
         {R"({"expect": "jitdump"})", R"({"expect": {"statistics": {"LOAD": 1}}})", R"({"expect": {}})"}) {
        CAPTURE(json);
        configured(json);
        CHECK(run("g").status == 0);
        CHECK(run("g").err.empty());
        for (const auto& [name, content, finding] : cases) {
            CAPTURE(name);
            write(run / "g" / name, content);
            const Run found = run("--output concise g");
            CHECK(found.status == 1);
            CHECK(has(found.out, std::string(finding)));
            CHECK(lines_of(found.out) == 1);
            fs::remove(run / "g" / name);
        }
    }
    fs::remove(run / ".tracelint.json");
    for (const auto& [name, content, finding] : cases) write(run / "g" / name, content);
    CHECK(run("--expect jitdump g").status == 1);
    // Otherwise they are skipped, but not in silence.
    const Run skipped = run("g");
    CHECK(skipped.status == 0);
    CHECK(skipped.err ==
          "tracelint: g: 2 empty files, 1 Git LFS pointer not checked; git lfs pull fetches the files\n");
    fs::remove(run / "g/pointer");
    CHECK(run("g").err == "tracelint: g: 2 empty files not checked\n");
}

// Collects all names.
class NameCollector final : public FileExpectations, private NameListener {
  public:
    NameListener* names() override { return this; }
    void judge(Outcome&) override {}
    std::vector<std::string> received;

  private:
    void on_name(Bytes name) override { received.emplace_back(name.begin(), name.end()); }
};

std::vector<std::string> names_in(const std::string& bytes) {
    NameCollector names;
    CheckOptions options;
    options.expectations = &names;
    MemorySource source(as_bytes(bytes));
    check(source, options);
    return names.received;
}

TEST_CASE("LOADs, methods and functions of inlined calls have names") {
    using Strings = std::vector<std::string>;
    for (const Format* format : formats()) {
        std::set<std::string> received;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const HexFile file = read_hex(read_file(path).value_or(""), path.string(), errors);
            const Strings names = names_in(file.bytes);
            received.insert(names.begin(), names.end());
            // A name is one that the file states.
            for (const std::string& name : names) CHECK_MESSAGE(has(file.bytes, name), path);
        }
        CAPTURE(format->id);
        CHECK(received.empty() != format->has_names);
    }
}

TEST_CASE("each format lists its statistics") {
    for (const Format* format : formats()) {
        const std::vector<std::string_view> known = format->statistics();
        CHECK(known.front() == "records");
        CHECK(std::set<std::string_view>(known.begin(), known.end()).size() == known.size());
        for (const char* folder : {"base", "real"}) {
            for (const auto& path : corpus_files(*format, folder, folder == std::string_view("base") ? ".hex" : "")) {
                Errors errors;
                const std::string text = read_file(path).value_or("");
                const std::string bytes =
                    folder == std::string_view("base") ? read_hex(text, path.string(), errors).bytes : text;
                MemorySource source(as_bytes(bytes));
                for (const auto& [name, count] : check(source, {}).context.statistics)
                    CHECK_MESSAGE((std::ranges::find(known, name) != known.end()), path << ": " << name);
            }
        }
    }
}

TEST_CASE("the example of each rule about expectations shows a configuration that reports it") {
    const Workplace run;
    fs::create_directories(run / "traces");
    write(run / "traces/a.dump", clean());
    for (const Rule* rule : expectation_rules()) {
        CAPTURE(rule->id);
        const std::string text = run("explain " + std::string(rule->id)).out;
        const size_t start = text.find("\n    {");
        REQUIRE(start != text.npos);
        write(run / ".tracelint.json", text.substr(start));
        const Run found = run("--output concise traces");
        CHECK(found.status == 1);
        CHECK(lines_of(found.out) == 1);
        CHECK(has(found.out, '[' + std::string(rule->id) + ']'));
    }
}

TEST_CASE("what says which files are missing is named to programs that need a file") {
    const Workplace run;
    fs::create_directories(run / "traces");
    write(run / "traces/a.dump", clean());
    write(run / ".tracelint.json", R"({"overrides": [{"files": ["no/*.dump", "b"], "expect": {}}]})");
    CHECK(has(run("--output sarif traces").out, R"("uri":".tracelint.json")"));
    CHECK_FALSE(has(run("--output sarif traces").out, R"("uri":"no)"));
    CHECK(has(run("--output github traces").out, "::error file=.tracelint.json"));
    CHECK(has(run("--output gitlab traces").out, R"("path":".tracelint.json")"));
    CHECK(has(run("--output concise traces").out, "no/*.dump, b:0x0"));
}

TEST_CASE("a run is held to what its configuration expects") {
    const Workplace run;
    fs::create_directories(run / "traces/empty");
    write(run / "traces/a.dump", clean());
    write(run / "traces/readme.txt", "no trace");
    const auto configured = [&](const std::string& json) { write(run / ".tracelint.json", json); };

    CHECK(run("--expect jitdump traces").status == 0);
    const Run other = run("--expect xray --output concise traces");
    CHECK(other.status == 1);
    CHECK(other.out == "traces/a.dump:0x0+0: error: the file is not in the expected format, xray [expect/format]\n");
    CHECK(has(run("--expect jitdmp traces").err, "did you mean 'jitdump'?"));
    // A folder without a trace, among others.
    const Run missing = run("--expect jitdump --output concise traces traces/empty");
    CHECK(missing.status == 1);
    CHECK(missing.out == "traces/empty:0x0+0: error: 0 traces found here; expected at least 1 [expect/file]\n");

    configured(R"({"expect": {"statistics": {"LOAD": 1}, "names": ["*"]}})");
    CHECK(run("traces").status == 0);
    configured(R"({"expect": {"names": ["main*"]}})");
    const Run nameless = run("--output concise traces/a.dump");
    CHECK(nameless.status == 1);
    CHECK(has(nameless.out, "names of functions in the file matches 'main*' [expect/name]"));
    CHECK(run("--off expect/ traces/a.dump").status == 0);
    CHECK(run("--ignore expect/name traces/a.dump").status == 0);

    // Files that an override names are traces, and there are some.
    configured(R"({"overrides": [{"files": "*.dump", "expect": {}}]})");
    CHECK(run("traces").status == 0);
    write(run / "traces/b.dump", "");
    const Run empty = run("--output concise traces");
    CHECK(empty.status == 1);
    CHECK(has(empty.out, "traces/b.dump:0x0"));
    fs::remove(run / "traces/b.dump");
    configured(R"({"overrides": [{"files": ["a.dump", "b.dump"], "expect": {"files": 2}}]})");
    const Run too_few = run("--output concise traces");
    CHECK(too_few.status == 1);
    CHECK(too_few.out == "a.dump, b.dump:0x0+0: error: 1 trace found here; expected at least 2 [expect/file]\n");
    CHECK(has(run("traces").out, "a.dump, b.dump: 1 error: missing\n"));
    CHECK(run("--output json traces").status == 1);
    // What is named may be a part of the traces, as for a hook, but for an override that says how many there are.
    CHECK(run("traces/a.dump").status == 1);
    configured(R"({"overrides": [{"files": "no/such/*.dump", "expect": {}}]})");
    CHECK(run("traces/a.dump").status == 0);
    CHECK(run.shell("echo traces/a.dump | \"$T\" --files-from -").status == 0);
    CHECK(has(run("traces").out, "no/such/*.dump:0x0: error: 0 traces found here; expected at least 1"));
    configured(R"({"overrides": [{"files": "no/such/*.dump", "expect": {"files": 1}}]})");
    CHECK(run("traces/a.dump").status == 1);
    configured(R"({"overrides": [{"files": "*.prof", "expect": {"files": 0, "format": "gperftools"}}]})");
    CHECK(run("traces").status == 0);
    // The command line counts more; of statistics the last override does.
    configured(R"({"expect": "xray", "overrides": [{"files": "*", "expect": "mlpd"}]})");
    CHECK(run("traces/a.dump").status == 1);
    CHECK(run("--expect jitdump traces/a.dump").status == 0);
    configured(R"({"expect": {"statistics": {"LOAD": 100}},
                   "overrides": [{"files": "a.*", "expect": {"statistics": {"LOAD": 2}}}]})");
    CHECK(run("traces/a.dump").status == 0);
    const Run shown = run("--show-config --expect jitdump");
    CHECK(has(shown.out, R"("format": "jitdump",
    "statistics": {
      "LOAD": 100
    })"));
}

}  // namespace
}  // namespace tracelint
