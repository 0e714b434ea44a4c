// Expectations: what a run that wrote too little gives, and what a healthy one gives; the names and statistics of
// files.
#include "validator/tool/expectations.hpp"

#include <doctest/doctest.h>

#include <set>

#include "fuzz/gzip_member.hpp"
#include "tests/corpus.hpp"
#include "tests/workplace.hpp"
#include "validator/source.hpp"

namespace tracelint {
namespace {

std::string file_of(const std::string& path) { return content_of(paths::root() + "/corpus/" + path); }

Expectations expectations_of(const std::string& json) {
    size_t bytes = 0;
    return read_expectations(parse_located_json(json), false, bytes);
}

// The messages of the findings about expectations, one a line.
std::string unmet(const std::string& bytes, const std::string& json) {
    const Expectations expectations = expectations_of(json);
    FileDemands demands;
    demands.add(expectations);
    DemandCheck check_of_demands(demands);
    CheckOptions options;
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

TEST_CASE("what a file lacks is an error, what it just has is none") {
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
    CHECK(unmet("#!/bin/sh\n", R"("jitdump")").empty());
    MemorySource source{Bytes{}};
    CHECK(check(source, {}).report().count(Severity::error) == 1);
}

TEST_CASE("what the end of a truncated container may hold is not missing") {
    const std::string whole = gzip_member(file_of(std::string(kDump)));
    const std::string expected = R"({"statistics": {"MOVE": 1}, "names": "no such name"})";
    CHECK(lines_of(unmet(whole, expected)) == 2);
    CHECK(unmet(whole.substr(0, whole.size() - 20), expected).empty());
}

// Collects all names.
class Names final : public FileExpectations, private NameListener {
  public:
    NameListener* names() override { return this; }
    void judge(Outcome&) override {}
    std::vector<std::string> heard;

  private:
    void hear(Bytes name) override { heard.emplace_back(name.begin(), name.end()); }
};

std::vector<std::string> names_in(const std::string& bytes) {
    Names names;
    CheckOptions options;
    options.expectations = &names;
    MemorySource source(as_bytes(bytes));
    check(source, options);
    return names.heard;
}

TEST_CASE("LOADs, methods and functions of inlined calls have names") {
    using Strings = std::vector<std::string>;
    for (const Format* format : formats()) {
        std::set<std::string> heard;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const HexFile file = read_hex(read_file(path).value_or(""), path.string(), errors);
            const Strings names = names_in(file.bytes);
            heard.insert(names.begin(), names.end());
            // A name is one that the file states.
            for (const std::string& name : names) CHECK_MESSAGE(has(file.bytes, name), path);
        }
        CAPTURE(format->id);
        CHECK(heard.empty() != format->has_names);
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
    CHECK(has(run("traces").out, "a.dump, b.dump: missing: 1 error\n"));
    CHECK(run("--output json traces").status == 1);
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
