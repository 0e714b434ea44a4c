// Outputs for other programs: golden texts for a toy file, what their readers require, and many findings.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "fuzz/containers.hpp"
#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/report_formats_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "fuzz/tool/xml.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/skip.hpp"
#include "tests/support/toy_report.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

constexpr const char* kKinds[] = {"sarif", "github", "gitlab", "junit", "markdown"};

WriterOptions errors_only() {
    WriterOptions options;
    options.min_severity = Severity::error;
    return options;
}

Summary one_file_with_errors() {
    Summary summary;
    summary.files = summary.with_findings = 1;
    summary.with_worst_of[static_cast<size_t>(Severity::error)] = 1;
    return summary;
}

TEST_CASE("sarif has a run with a rule, a file and a result, whose region has an offset and line 1") {
    CHECK(
        written("sarif", "./traces/a b.trace", toy_outcome(), errors_only()) ==
        R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{
"tool":{"driver":{"name":"tracelint","fullName":"tracelint )" TRACELINT_VERSION R"(","version":")" TRACELINT_VERSION
        R"(","semanticVersion":")" TRACELINT_VERSION R"(","rules":[
{"id":"toy/started-twice","name":"ToyStartedTwice","shortDescription":{"text":"Rule: a task that runs is not started."},)"
        R"("fullDescription":{"text":"Rule: a task that runs is not started. Consequence of a violation: readers that pair starts with finishes lose the first of the two runs."},)"
        R"("help":{"text":"Consequence: readers that pair starts with finishes lose the first of the two runs.\n\nSpecification: grammars/toy/spec.md, 4.2 Task. tracelint explain toy/started-twice shows an example.",)"
        R"("markdown":"**Consequence:** readers that pair starts with finishes lose the first of the two runs.\n\n**Specification:** grammars/toy/spec.md, 4.2 Task. `tracelint explain toy/started-twice` shows an example."},)"
        R"("defaultConfiguration":{"level":"error"},"properties":{"tags":["toy"],"problem.severity":"error"}}]}},
"artifacts":[
{"location":{"uri":"traces/a%20b.trace"},"roles":["analysisTarget"],"length":1055}],
"results":[
{"ruleId":"toy/started-twice","ruleIndex":0,"level":"error",)"
        R"("message":{"text":"task 5 is started, but it runs already (2 bytes at offset 0x2f, records[2].action). Hint: the event before it is of another worker."},)"
        R"("locations":[{"physicalLocation":{"artifactLocation":{"uri":"traces/a%20b.trace","index":0},"region":{"startLine":1,"byteOffset":47,"byteLength":2}},)"
        R"("logicalLocations":[{"fullyQualifiedName":"records[2].action","kind":"member"}]}],)"
        R"("relatedLocations":[{"id":1,"physicalLocation":{"artifactLocation":{"uri":"traces/a%20b.trace","index":0},"region":{"startLine":1,"byteOffset":22,"byteLength":14}},"message":{"text":"14 bytes at offset 0x16."}}],)"
        R"("partialFingerprints":{"primaryLocationLineHash":"d0b82da32d89ccd7:1"}}],
"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}],
"columnKind":"utf16CodeUnits"}]}
)");
}

TEST_CASE("github has a command for each finding, and a total") {
    CHECK(written("github", "./traces/50%,a:b.trace", toy_outcome(1), {}, one_file_with_errors()) ==
          "::warning file=traces/50%25%2Ca%3Ab.trace,line=1,title=toy/trailing-bytes::5 bytes follow the last field of "
          "the "
          "record (5 bytes at offset 0x11, records[0])%0Areaders skip the bytes, so what they say is lost\n"
          "::warning file=traces/50%25%2Ca%3Ab.trace,line=1,title=toy/never-finished::task 5 is started here and never "
          "finished (14 bytes at offset 0x24, records[2])%0Areaders show a run of unknown length\n"
          "::error file=traces/50%25%2Ca%3Ab.trace,line=1,title=toy/started-twice::task 5 is started, but it runs "
          "already "
          "(2 bytes at offset 0x2f, records[2].action)%0Areaders that pair starts with finishes lose the first of the "
          "two "
          "runs; the event before it is of another worker\n"
          "::notice file=traces/50%25%2Ca%3Ab.trace,line=1,title=toy/not-closed::the file ends without a CLOSE record "
          "(at "
          "offset 0x41f)%0Athe producer was probably killed, and the last events are missing\n"
          "tracelint: 1 file: 1 with errors\n"
          "tracelint: not shown: 1 finding\n");
}

TEST_CASE("gitlab has an issue for each finding, and one for those that are not listed") {
    CHECK(written("gitlab", "traces/a b.trace", toy_outcome(1)) == R"([
{"description":"5 bytes follow the last field of the record (5 bytes at offset 0x11, records[0]): readers skip the bytes, so what they say is lost","check_name":"toy/trailing-bytes","fingerprint":"a7e49e651341519d:1","severity":"minor","location":{"path":"traces/a b.trace","lines":{"begin":1}}},
{"description":"task 5 is started here and never finished (14 bytes at offset 0x24, records[2]): readers show a run of unknown length","check_name":"toy/never-finished","fingerprint":"7f26c701cd90297a:1","severity":"minor","location":{"path":"traces/a b.trace","lines":{"begin":1}}},
{"description":"task 5 is started, but it runs already (2 bytes at offset 0x2f, records[2].action): readers that pair starts with finishes lose the first of the two runs; the event before it is of another worker","check_name":"toy/started-twice","fingerprint":"d0b82da32d89ccd7:1","severity":"major","location":{"path":"traces/a b.trace","lines":{"begin":1}}},
{"description":"the file ends without a CLOSE record (at offset 0x41f): the producer was probably killed, and the last events are missing","check_name":"toy/not-closed","fingerprint":"09ca2c3ca855d30b:1","severity":"info","location":{"path":"traces/a b.trace","lines":{"begin":1}}},
{"description":"not listed: 1 finding of rules that the file violates often; --max-per-rule sets how many of each are listed","check_name":"tracelint/not-listed","fingerprint":"3721de0d692d3c92:1","severity":"info","location":{"path":"traces/a b.trace","lines":{"begin":1}}}
]
)");
    CHECK(written("gitlab", "a", Outcome{CheckOptions{}}) == "[\n]\n");
}

TEST_CASE("junit has a suite for the file and a test for each section, which fails from --fail-on on") {
    CHECK(written("junit", "./traces/a<b>.trace", toy_outcome(1)) == R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tracelint">
<testsuite name="traces/a&lt;b&gt;.trace" tests="13" failures="1" errors="0">
<testcase classname="input" name="input"/>
<testcase classname="gzip" name="gzip"/>
<testcase classname="zstd" name="zstd"/>
<testcase classname="toy" name="2. Identification"/>
<testcase classname="toy" name="1. Sources and versions"/>
<testcase classname="toy" name="3.1 Header"/>
<testcase classname="toy" name="3.2 Record prefix">
<system-out>5 bytes at offset 0x11, records[0]: warning: 5 bytes follow the last field of the record [toy/trailing-bytes]; readers skip the bytes, so what they say is lost
1 finding not shown
</system-out>
</testcase>
<testcase classname="toy" name="4.1 File"/>
<testcase classname="toy" name="3.6 CLOSE">
<system-out>at offset 0x41f: note: the file ends without a CLOSE record [toy/not-closed]; the producer was probably killed, and the last events are missing
</system-out>
</testcase>
<testcase classname="toy" name="3.4 EVENT"/>
<testcase classname="toy" name="4.2 Task">
<failure type="error" message="task 5 is started, but it runs already">2 bytes at offset 0x2f, records[2].action: error: task 5 is started, but it runs already [toy/started-twice]; readers that pair starts with finishes lose the first of the two runs; the event before it is of another worker
</failure>
<system-out>14 bytes at offset 0x24, records[2]: warning: task 5 is started here and never finished [toy/never-finished]; readers show a run of unknown length
</system-out>
</testcase>
<testcase classname="toy" name="3.3 TASK"/>
<testcase classname="toy" name="5. Limits"/>
</testsuite>
</testsuites>
)");
}

TEST_CASE("what readers do is a notification in sarif, a test in junit, and a line of the page") {
    TraceReader shower{};
    shower.name = "shower";
    shower.version = "2";
    shower.evidence = "measured";
    const ReaderVerdict verdicts[] = {
        {.reader = &shower},
        {.reader = &shower, .outcome = ReaderOutcome::misreads, .offset = 16, .places = 1},
        {.reader = &shower, .outcome = ReaderOutcome::crashes, .offset = 47}};
    const Outcome outcome = toy_outcome();
    const auto text = [&](const char* kind) {
        return written_by(*find_writer_kind(kind), {.path = "a.trace", .outcome = outcome, .readers = verdicts}, {});
    };
    const Json notes =
        Json::parse(text("sarif")).at("runs").at(0).at("invocations").at(0).at("toolExecutionNotifications");
    const auto note = [](const char* level, const char* words) {
        return Json::parse(std::string(R"({"level":")") + level + R"(","message":{"text":")" + words +
                           R"("},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.trace"}}}]})");
    };
    CHECK(notes == Json::array({note("note", "shower 2 loads the file."),
                                note("warning", "shower 2 loads the file, but misreads it at 0x10."),
                                note("error", "shower 2 crashes at 0x2f.")}));

    const std::string junit = text("junit");
    const auto root = read_xml(junit);
    REQUIRE(root);
    CHECK(junit_fault(*root) == "");
    CHECK(root->children.at(0).attribute("failures") == "2");  // the crash, and the section of the error
    CHECK(root->children.at(0).attribute("tests") == "16");
    CHECK(junit.find("<testcase classname=\"reader\" name=\"shower 2\">\n"
                     "<failure type=\"crashes\" message=\"shower 2 crashes at 0x2f\"/>\n</testcase>\n") != junit.npos);
    CHECK(junit.find("<system-out>shower 2 loads the file\n</system-out>") != junit.npos);

    const std::string page = text("html");
    REQUIRE(report_in(page));
    CHECK(Json::parse(*report_in(page)).at("files").at(0).at("readers") ==
          Json::parse(R"([[-1,"shower 2 loads the file"],[1,"shower 2 loads the file, but misreads it at 0x10"],)"
                      R"([2,"shower 2 crashes at 0x2f"]])"));
}

// How many tests of the file's suite fail.
std::string junit_failures(const Outcome& outcome, const WriterOptions& options) {
    const std::string text = written("junit", "a", outcome, options);
    const auto root = read_xml(text);
    REQUIRE(root);
    CHECK(junit_fault(*root) == "");
    return root->children.at(0).attribute("failures");
}

TEST_CASE("junit's tests fail where the exit status does, whether the findings are shown or not") {
    WriterOptions options;
    for (const Severity shown : {Severity::note, Severity::error}) {
        options.min_severity = shown;
        options.fail_on = std::nullopt;
        CHECK(junit_failures(toy_outcome(), options) == "0");
        options.fail_on = Severity::error;
        CHECK(junit_failures(toy_outcome(), options) == "1");
        options.fail_on = Severity::warning;
        CHECK(junit_failures(toy_outcome(), options) == "2");
        options.fail_on = Severity::note;
        CHECK(junit_failures(toy_outcome(), options) == "3");
    }
    // Without memory for findings they are only counted.
    Outcome counted_only{CheckOptions{}};
    const RuleFilter all;
    Report report({1, &all});
    Budget budget(0);
    report.charge_to(budget);
    for (size_t i = 0; i < 2; ++i) report.add(kUnknownFormat, {}, {});
    counted_only.context.report = report;
    CHECK(junit_failures(counted_only, options) == "1");
}

TEST_CASE("markdown has the totals, the worst findings and the rules") {
    CHECK(written("markdown", "traces/a|b.trace", toy_outcome(1), {}, one_file_with_errors()) ==
          R"(### tracelint: 1 error, 3 warnings, 1 note

1 file: 1 with errors.

| severity | file | place | finding |
| --- | --- | --- | --- |
| **error** | <code>traces/a&#124;b&#46;trace</code> | `2 bytes at offset 0x2f, records[2].action` | task 5 is started, but it runs already.<br>readers that pair starts with finishes lose the first of the two runs; the event before it is of another worker `toy/started-twice` |
| warning | <code>traces/a&#124;b&#46;trace</code> | `5 bytes at offset 0x11, records[0]` | 5 bytes follow the last field of the record.<br>readers skip the bytes, so what they say is lost `toy/trailing-bytes` |
| warning | <code>traces/a&#124;b&#46;trace</code> | `14 bytes at offset 0x24, records[2]` | task 5 is started here and never finished.<br>readers show a run of unknown length `toy/never-finished` |
| note | <code>traces/a&#124;b&#46;trace</code> | `at offset 0x41f` | the file ends without a CLOSE record.<br>the producer was probably killed, and the last events are missing `toy/not-closed` |

The table has 4 of 5 findings, the most severe first.

<details><summary>Findings by rule</summary>

| findings | severity | rule | files |
| ---: | --- | --- | ---: |
| 1 | error | `toy/started-twice` | 1 |
| 2 | warning | `toy/trailing-bytes` | 1 |
| 1 | warning | `toy/never-finished` | 1 |
| 1 | note | `toy/not-closed` | 1 |

</details>
)");
    CHECK(written("markdown", "a", Outcome{CheckOptions{}}).starts_with("### tracelint: ok\n\n1 file"));
}

// What a writer makes of `files` files with the same findings, under names of their own.
std::string written_often(const char* kind, size_t files, const Outcome& outcome, const std::string& name = "trace") {
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind(kind)->make(sink, {});
    writer->begin();
    for (size_t i = 0; i < files; ++i) writer->file({name + std::to_string(i), outcome});
    writer->finish({.files = files, .clean = 0, .with_findings = files, .unreadable = 0, .skipped = 0});
    return sink.text;
}

TEST_CASE("sarif keeps the 5,000 most severe findings of all files, and says what it leaves out") {
    const Outcome outcome = toy_outcome();  // an error, three warnings and a note
    const Json run = Json::parse(written_often("sarif", 1100, outcome)).at("runs").at(0);
    CHECK(run.at("results").size() == 5000);
    std::map<std::string, size_t> levels;
    for (const Json& result : run.at("results")) ++levels[result.at("level").get<std::string>()];
    CHECK(levels["error"] == 1100);
    CHECK(levels["warning"] == 3300);
    CHECK(levels["note"] == 600);
    const Json& last = run.at("results").at(4999).at("locations").at(0).at("physicalLocation").at("artifactLocation");
    CHECK(last.at("uri") == "trace599");
    CHECK(run.at("artifacts").at(last.at("index").get<size_t>()).at("location").at("uri") == "trace599");
    CHECK(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text") ==
          "The 5000 most severe findings are listed. Left out: 0 errors, 0 warnings, 500 notes.");
}

TEST_CASE("sarif stays below 10 MB however long the names are, and says what it leaves out") {
    for (const std::string& name : {std::string(4000, '\xff'), std::string(100'000, ' ')}) {
        const std::string text = written_often("sarif", 1100, toy_outcome(), name);
        CHECK(text.size() < 10'000'000);
        const Json run = Json::parse(text).at("runs").at(0);
        const size_t listed = run.at("results").size();
        CHECK(listed > 5);
        for (const Json& result : run.at("results")) CHECK(result.at("level") == "error");
        CHECK(run.at("artifacts").size() == listed);  // no file without a result
        CHECK(run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text") ==
              "The " + std::to_string(listed) + " most severe findings are listed. Left out: " +
                  std::to_string(1100 - listed) + " errors, 3300 warnings, 1100 notes.");
    }
    Outcome unread{CheckOptions{}};
    unread.failure = "cannot open: File name too long";
    const std::string text = written_often("sarif", 200, unread, std::string(100'000, '/'));
    CHECK(text.size() < 2'000'000);
    const Json notes = Json::parse(text).at("runs").at(0).at("invocations").at(0).at("toolExecutionNotifications");
    CHECK(notes.back().at("message").at("text") ==
          "Not read either: " + std::to_string(201 - notes.size()) + " inputs.");
}

TEST_CASE("sarif describes every rule") {
    const std::vector<const Rule*> rules = all_rules();
    Outcome outcome{CheckOptions{}};
    for (const Rule* rule : rules) outcome.context.report.add(*rule, {}, {0, 0, 0, 0});
    const Json run = Json::parse(written("sarif", "a", outcome)).at("runs").at(0);
    std::map<std::string, Json> described;
    for (const Json& rule : run.at("tool").at("driver").at("rules")) described[rule.at("id")] = rule;
    CHECK(described.size() == rules.size());
    std::set<std::string> names;
    for (const Rule* rule : rules) {
        CAPTURE(rule->id);
        const Json& object = described[std::string(rule->id)];
        names.insert(object.at("name").get<std::string>());
        CHECK(object.at("defaultConfiguration").at("level") == to_string(rule->severity));
        for (const char* form : {"text", "markdown"}) {
            const std::string help = object.at("help").at(form);
            CHECK(has(help, std::string("tracelint explain ").append(rule->id)));
            CHECK(has(help, ". Only a") == rule->severity_override.has_value());
            CHECK_FALSE(has(help, "\\x"));
        }
    }
    CHECK(names.size() == rules.size());
    CHECK(described["jitdump/bad-magic"].at("name") == "JitdumpBadMagic");
    CHECK(described["jitdump/debug-line-zero"].at("properties").at("problem.severity") == "recommendation");
}

TEST_CASE("junit: a test has the first thousand of its findings, and says how many more there are") {
    CheckOptions options;
    options.report.kept_per_rule = 0;
    Outcome outcome(options);
    for (uint64_t i = 0; i < 2'500; ++i) outcome.context.report.add(kUnknownFormat, Place{.offset = i, .length = 1});
    outcome.context.report.finish();
    const std::string text = written("junit", "a.trace", outcome);
    CHECK(has(text, "1 byte at offset 0x3e7: error: "));
    CHECK_FALSE(has(text, "1 byte at offset 0x3e8: error: "));
    CHECK(has(text, "\n1500 findings not shown\n</failure>"));
    CHECK(junit_agrees(text, {"a.trace", outcome}) == std::nullopt);
}

TEST_CASE("in a container, places in the data are distinguished from places in the file") {
    const std::string packed = gzip_member(toy_bytes()) + "x";  // begins no member
    CheckOptions options;
    options.format = &kToy;
    MemorySource source(as_bytes(packed));
    const Outcome outcome = check(source, options);
    const Json run = Json::parse(written("sarif", "a.gz", outcome)).at("runs").at(0);
    const Json& artifact = run.at("artifacts").at(0);
    CHECK(artifact.at("properties").at("container") == "gzip");
    CHECK_FALSE(artifact.contains("length"));
    for (const Json& result : run.at("results")) {
        const std::string text = result.at("message").at("text");
        CAPTURE(text);
        CHECK(has(text, " of the decompressed data") != result.at("ruleId").get<std::string>().starts_with("gzip/"));
    }
    CHECK(run.at("results").size() == 6);
}

TEST_CASE("markdown fits into a comment, however many files there are and however long their names") {
    for (const std::string& name : {std::string("trace"), std::string(4000, '|'), std::string(4000, 'x') + "\xff"}) {
        const std::string text = written_often("markdown", 100, toy_outcome(), name);
        CHECK(markdown_agrees(text) == std::nullopt);
        CHECK(has(text, "### tracelint: 100 errors, 300 warnings, 100 notes\n"));
        CHECK(has(text, " of 500 findings, the most severe first."));
        CHECK(has(text, "| 200 | warning | `toy/trailing-bytes` | 100 |\n"));
    }
}

TEST_CASE("a file that was not read, and inputs that were not checked, are said by every kind") {
    Outcome outcome{CheckOptions{}};
    outcome.failure = "cannot read: \xff";
    Summary summary{.files = 1, .clean = 0, .with_findings = 0, .unreadable = 1, .skipped = 0};
    summary.incomplete = "interrupted by SIGINT";
    summary.not_checked = 2;
    for (const char* kind : kKinds) {
        CAPTURE(kind);
        const std::string text = written(kind, "a.trace", outcome, {}, summary);
        CHECK(has(text, "a.trace"));
        CHECK(has(text, "cannot read: "));
        CHECK(has(text, "incomplete: interrupted by SIGINT; 2 inputs not checked"));
    }
    const Json run = Json::parse(written("sarif", "a.trace", outcome, {}, summary)).at("runs").at(0);
    CHECK(run.at("invocations").at(0).at("executionSuccessful") == false);
    const auto root = read_xml(written("junit", "a.trace", outcome, {}, summary));
    REQUIRE(root);
    CHECK(junit_fault(*root) == "");
    CHECK(root->children.size() == 2);
    CHECK(root->children.at(1).attribute("errors") == "1");
}

TEST_CASE("no more than a hundred inputs that were not read are named in sarif") {
    Outcome outcome{CheckOptions{}};
    outcome.failure = "cannot read";
    const Json run = Json::parse(written_often("sarif", 250, outcome)).at("runs").at(0);
    const Json& notifications = run.at("invocations").at(0).at("toolExecutionNotifications");
    CHECK(notifications.size() == 101);
    CHECK(notifications.at(100).at("message").at("text") == "Not read either: 150 inputs.");
    CHECK(run.at("results").empty());
}

TEST_CASE("paths become URIs from which they can be had back") {
    CHECK(uri_of("a.dump") == "a.dump");
    CHECK(uri_of("./a b/c%.dump") == "a%20b/c%25.dump");
    CHECK(uri_of(".//./a") == "a");
    CHECK(uri_of("./") == "./");
    CHECK(uri_of("../a") == "../a");
    CHECK(uri_of("c:d") == "c%3Ad");
    CHECK(uri_of("/tmp/a") == "file:///tmp/a");
    CHECK(uri_of("//host/a") == "file:////host/a");
    CHECK(uri_of("-") == "%3Cstdin%3E");
    CHECK(uri_of("<stdin>") == "./%3Cstdin%3E");
    CHECK(uri_of("\xff\n") == "%FF%0A");
    for (int byte = 0; byte < 256; ++byte) CHECK(is_uri_reference(uri_of(std::string(1, static_cast<char>(byte)))));
}

TEST_CASE("a fingerprint says neither offset nor index, and no two of a file are the same") {
    const Outcome outcome = toy_outcome();
    const std::vector<Diagnostic>& found = outcome.report().diagnostics();
    Diagnostic moved = found.at(0);
    moved.place.offset += 1000;
    moved.place.record_index += 7;
    CHECK(Fingerprints("a").of(moved) == Fingerprints("a").of(found.at(0)));
    CHECK(Fingerprints("./a").of(moved) == Fingerprints("a").of(found.at(0)));
    CHECK(Fingerprints("b").of(moved) != Fingerprints("a").of(found.at(0)));
    Fingerprints fingerprints("a");
    const std::string first = fingerprints.of(found.at(0)), second = fingerprints.of(moved);
    CHECK(first.ends_with(":1"));
    CHECK(second.ends_with(":2"));
    CHECK(first.substr(0, 16) == second.substr(0, 16));
    CHECK(fingerprints.of(found.at(1)).substr(0, 16) != first.substr(0, 16));
}

TEST_CASE("XML that is not well-formed is noticed") {
    const std::string start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    CHECK(read_xml(start + "<a b=\"&lt;\">c&amp;<d/></a>\n")->children.at(0).name == "d");
    for (const std::string body :
         {"", "<a>", "<a></b>", "<a/><a/>", "<a b=c/>", "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>", "<a>&x;</a>",
          "<a>]]></a>", "<a>\x01</a>", "<a>\xff</a>", "<a>\uffff</a>", "<a/>x", "x<a/>"}) {
        CAPTURE(body);
        CHECK_FALSE(read_xml(start + body));
    }
    CHECK_FALSE(read_xml("<a/>"));
    CHECK(junit_fault(*read_xml(start + "<testsuite name=\"a\" tests=\"1\" failures=\"0\"/>")) ==
          "testsuite has no errors");
    CHECK(junit_fault(*read_xml(start + "<testsuites><testcase name=\"a\"/></testsuites>")) ==
          "testcase stands in testsuites");
    CHECK(junit_fault(*read_xml(start + "<testcase name=\"a\" line=\"1\"/>")) == "testcase has an attribute line");
}

// What cmark-gfm, GitHub's own renderer, makes of the text.
std::string rendered(const std::string& markdown) {
    const ScratchFile file(markdown);
    std::FILE* const pipe =
        popen(("cmark-gfm --unsafe -e table -e autolink -e strikethrough '" + file.path() + "'").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string html;
    char buffer[4096];
    for (size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) html.append(buffer, got);
    pclose(pipe);
    return html;
}

TEST_CASE("GitHub's renderer takes nothing in a path or a text for markup") {
    if (std::system("cmark-gfm --version >/dev/null 2>&1") != 0) return skip("cmark-gfm is not installed");
    const std::string hostile =
        "`a|b`\\| <img src=x> [l](http://x.y) ![i](j) **s** _e_ ~~d~~ &lt; www.x.com @user #1\\";
    const auto unescaped = [](std::string html) {
        for (const auto& [entity, character] :
             {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
            for (size_t at = html.find(entity); at != std::string::npos; at = html.find(entity, at + 1))
                html.replace(at, std::string_view(entity).size(), character);
        return html;
    };
    CHECK(unescaped(rendered(markdown_code(hostile))) == "<p><code>" + hostile + "</code></p>\n");
    CHECK(unescaped(rendered(markdown_text("`a|b`\\| <img src=x> [l](u) **s** _e_ ~~d~~ &lt; #1 \\"))) ==
          "<p>`a|b`\\| <img src=x> [l](u) **s** _e_ ~~d~~ &lt; #1 \\</p>\n");
    const std::string table = rendered(written("markdown", hostile, toy_outcome()));
    size_t cells = 0;
    for (size_t at = table.find("<td"); at != std::string::npos; at = table.find("<td", at + 1)) ++cells;
    CHECK(cells == 5 * 4 + 4 * 4);  // a row for each finding and for each rule
    CHECK_FALSE(has(table, "<img"));
    CHECK_FALSE(has(table, "<a "));
}

}  // namespace
}  // namespace tracelint
