// The baseline: faults of its text, known findings, stale entries, updates.
#include "validator/tool/inputs/baseline.hpp"

#include <doctest/doctest.h>

#include "fuzz/tool/text_oracles.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/inputs/usage_error.hpp"
#include "validator/tool/run/baseline_run.hpp"

namespace tracelint {
namespace {

using namespace std::string_literals;

using Json = nlohmann::json;

std::string fault_of(const std::string& text) {
    try {
        parse_baseline_text("b.json", text);
        return {};
    } catch (const UsageError& error) {
        return error.message;
    }
}

std::string with(std::string_view entries) {
    return "{\"schema_version\": 1, \"entries\": [" + std::string(entries) + "]}";
}

std::string with_entry(std::string_view members) { return with("{" + std::string(members) + "}"); }

const struct {
    std::string text, fault;
} kFaulty[] = {
    {"", "1:1: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal"},
    {"// a comment\n{}", "1:1: syntax error while parsing value - invalid literal; last read: '/'"},
    {"[]", "1:1: a baseline must be an object"},
    {"{\"schema_version\": 1}\n\0{\"entries\": 5, x"s, "2:1: a NUL, which JSON cannot contain; is the file damaged?"},
    {"\xff\xfe{\0}\0"s, "1:1: the text is in UTF-16; expected UTF-8"},
    {"{}", "1:1: a baseline needs \"schema_version\": 1"},
    {"{\"schema_version\": 2}", "1:20: schema_version must be 1; a later one needs a later version of tracelint"},
    {"{\"schema_version\": \"1\"}", "1:20: schema_version must be 1; a later one needs a later version of tracelint"},
    {"{\"schema_version\": 1,\n \"entrys\": []}", "2:2: unknown key 'entrys' in a baseline; did you mean 'entries'?"},
    {"{\"schema_version\": 1, \"schema_version\": 1}", "1:23: 'schema_version' is given twice"},
    {"{\"schema_version\": 1, \"entries\": {}}", "1:34: entries must be an array"},
    {"{\"schema_version\": 1, \"$schema\": 7}", "1:34: $schema must be a string"},
    {with("7"), "1:35: an entry must be an object"},
    {with_entry(R"("rule": "jitdump/bad-magic", "count": 1)"), "1:35: an entry needs a path: the pattern of its files"},
    {with_entry(R"("path": "a", "count": 1)"), "1:35: an entry needs a rule"},
    {with_entry(R"("path": "a", "rule": "jitdump/bad-magic")"),
     "1:35: an entry needs a count: how many findings each file may have"},
    {with_entry(R"("paths": "a")"), "1:36: unknown key 'paths' in an entry; did you mean 'path'?"},
    {with_entry(R"("path": 1)"), "1:44: path must be a string"},
    {with_entry(R"("path": "a[")"), "1:44: a pattern has a [ without a ]"},
    {with_entry(R"("path": "")"), "1:44: a pattern is empty"},
    {with_entry(R"("rule": "bad-magic")"),
     "1:44: unknown rule 'bad-magic'; tracelint rules lists them; did you mean 'jitdump/bad-magic'?"},
    {with_entry(R"("rule": "jitdump/")"), "1:44: unknown rule 'jitdump/'; tracelint rules lists them"},
    {with_entry(R"("count": 0)"), "1:45: count must be 1 or more"},
    {with_entry(R"("count": 1.5)"), "1:45: count must be 1 or more"},
    {with_entry(R"("count": "1")"), "1:45: count must be 1 or more"},
    {with_entry(R"("reason": null)"), "1:46: reason must be a string"},
    {with_entry(R"("expires": "tomorrow")"), "1:47: expires must be a date such as 2027-01-31"},
    {with_entry(R"("expires": "2027-02-29")"), "1:47: expires must be a date such as 2027-01-31"},
    {with_entry(R"("expires": "2027-1-031")"), "1:47: expires must be a date such as 2027-01-31"},
    {with(R"({"path": "a", "rule": "jitdump/bad-magic", "count": 1},
{"path": "a", "rule": "jitdump/bad-magic", "count": 2})"),
     "2:1: an earlier entry has the same path and rule"},
};

const std::string kRight[] = {
    "{\"schema_version\": 1}",
    with(""),
    with(R"({"path": "a/**/*.dump", "rule": "jitdump/bad-magic", "count": 3, "reason": "b", "expires": "2028-02-29"},
            {"path": "a/**/*.dump", "rule": "jitdump/close-size", "count": 1})"),
    "{\"$schema\": \"x\", \"entries\": [], \"schema_version\": 1}",
};

TEST_CASE("each mistake in a baseline is named, with line and column") {
    for (const auto& [text, fault] : kFaulty) CHECK_MESSAGE(fault_of(text) == "b.json:" + fault, text);
    const std::string long_word(200'000, 'x');
    for (const std::string& text :
         {"{\"" + long_word + "\": 1}", "{\"" + long_word, with_entry('"' + long_word + "\": 1"),
          with_entry("\"rule\": \"" + long_word + '"')})
        CHECK(fault_of(text).size() < 500);
    CHECK(has(fault_of(std::string(kLargestBaseline + 1, ' ')), "the file is larger than 4.0 MiB"));
    std::string many;
    for (size_t i = 0; i <= kMostEntries; ++i)
        many += std::string(i == 0 ? "" : ",") + R"({"path": ")" + std::to_string(i) +
                R"(", "rule": "jitdump/bad-magic", "count": 1})";
    CHECK(has(fault_of(with(many)), "more than 20000 entries"));
    const std::string stars = std::string(kMostBaselineGlobs, '*');
    CHECK(fault_of(with_entry(R"("count": 1, "rule": "jitdump/bad-magic", "path": ")" + stars + '"')).empty());
    CHECK(has(fault_of(with_entry(R"("count": 1, "rule": "jitdump/bad-magic", "path": ")" + stars + "*\"")),
              "the patterns take more than 65536 bytes together"));
}

TEST_CASE("baselines without a mistake are taken, and come out as they went in") {
    for (const std::string& text : kRight) {
        CHECK(fault_of(text) == "");
        const Json before = Json::parse(text), after = Json::parse(text_of(parse_baseline_text("b.json", text)));
        CHECK(after.value("entries", Json::array()) == before.value("entries", Json::array()));
        CHECK(after.value("$schema", "") == before.value("$schema", ""));
    }
    CHECK(text_of(parse_baseline_text("b.json", kRight[2])) == R"({
  "schema_version": 1,
  "entries": [
    {"path":"a/**/*.dump","rule":"jitdump/bad-magic","count":3,"reason":"b","expires":"2028-02-29"},
    {"path":"a/**/*.dump","rule":"jitdump/close-size","count":1}
  ]
}
)");
}

TEST_CASE("the schema of baselines fits what is taken, and little else") {
    const Json& schema = baseline_schema();
    for (const std::string& text : kRight) CHECK_MESSAGE(schema_fault(schema, "", Json::parse(text)) == "", text);
    for (const auto& [text, fault] : kFaulty) {
        const Json value = Json::parse(text, nullptr, false);
        // A schema knows no rules, patterns or dates, and no two of anything.
        bool is_beyond = value.is_discarded() || text.find('\0') != text.npos;
        for (const char* part : {"unknown rule", "a pattern", "a date", "twice", "an earlier entry"})
            is_beyond |= has(fault, part);
        if (!is_beyond) CHECK_MESSAGE(schema_fault(schema, "", value) != "", text);
    }
}

TEST_CASE("any text is a baseline or a mistake with a place. TRACELINT_SEEDS=N asks for more texts") {
    std::vector<std::string> texts(std::begin(kRight), std::end(kRight));
    for (const auto& [text, fault] : kFaulty) texts.push_back(text);
    texts.push_back(with(R"({"path": "b.dump", "rule": "input/unknown-format", "count": 3, "expires": "2024-10-04"},
        {"path": "**/*", "rule": "input/unknown-format", "count": 3})"));
    for (const std::string& text : texts) hold(baseline_holds(text));
    Random random(1);
    for (uint64_t left = seeds(500); left > 0; --left) {
        std::string text = pick_of(random, texts);
        for (uint64_t edits = between(random, 1, 3); edits > 0 && !text.empty(); --edits) {
            const uint64_t at = below(random, text.size());
            const uint64_t kind = below(random, 3);
            const uint64_t from = below(random, text.size());
            if (kind == 0) text.erase(at, 2);
            if (kind == 1) text.insert(at, text.substr(from, 5));
            if (kind == 2) text[at] = static_cast<char>(below(random, 256));
        }
        CAPTURE(text);
        hold(baseline_holds(text));
    }
}

constexpr std::string_view kRule = "jitdump/truncated-record";

// A baseline with one entry for a rule that a cut file breaks once.
std::string known(std::string_view path, int count, std::string_view more = "") {
    return with_entry("\"path\": \"" + std::string(path) + "\", \"rule\": \"" + std::string(kRule) +
                      "\", \"count\": " + std::to_string(count) + std::string(more));
}

TEST_CASE("known findings are shown as such and do not fail") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "known.json", known("cut.dump", 1, R"(, "reason": "PHP 8.1 is killed", "expires": "2099-12-31")"));
    CHECK(run("cut.dump").status == 1);
    const Run text = run("--baseline known.json cut.dump");
    CHECK(text.status == 0);
    CHECK(text.err.empty());
    CHECK(has(text.out, "allowed by the baseline\n      1  jitdump/truncated-record: PHP 8.1 is killed\n"));
    CHECK(has(text.out, "cut.dump: ok, "));
    CHECK(has(text.out, ", 1 known: jitdump"));
    CHECK_FALSE(has(text.out, "error: "));
    CHECK_FALSE(has(run("--baseline known.json --output concise cut.dump").out, kRule));
    CHECK_FALSE(has(run("--baseline known.json --output github cut.dump").out, "::error"));
    CHECK_FALSE(has(run("--baseline known.json --output gitlab cut.dump").out, kRule));
    CHECK_FALSE(has(run("--baseline known.json --output junit cut.dump").out, "<failure"));
    CHECK(has(run("--baseline known.json --output markdown cut.dump").out, "### tracelint: ok"));
    fs::copy_file(run / "known.json", run / "<a>.json");
    CHECK(has(run("--baseline '<a>.json' --output markdown cut.dump").out, "; 1 known finding in \\<a\\>.json.\n"));
    CHECK_FALSE(has(run("--baseline known.json --output html cut.dump").out, "\"verdict\":\"error\""));

    const Json document = Json::parse(run("--baseline known.json --output json cut.dump").out);
    CHECK(schema_fault(output_schema(), "", document) == "");
    const Json& file = document.at("files").at(0);
    CHECK(file.at("verdict") != "error");
    CHECK(file.at("counts").at("error") == 1);
    CHECK(file.at("suppressed") == Json{{kRule, 1}});
    CHECK(file.at("surplus") == Json::object());
    CHECK(document.at("summary").at("baseline").at("suppressed") == 1);
    size_t suppressed = 0;
    for (const Json& finding : file.at("diagnostics")) {
        if (!finding.contains("suppressed")) continue;
        ++suppressed;
        CHECK(finding.at("rule") == kRule);
        CHECK(finding.at("suppressed") ==
              Json{{"path", "cut.dump"}, {"reason", "PHP 8.1 is killed"}, {"expires", "2099-12-31"}});
    }
    CHECK(suppressed == 1);
    const Json sarif = Json::parse(run("--baseline known.json --output sarif cut.dump").out);
    for (const Json& result : sarif.at("runs").at(0).at("results"))
        CHECK((result.contains("suppressions")) == (result.at("ruleId") == kRule));
    CHECK(run("--baseline known.json --output ndjson cut.dump").status == 0);
}

TEST_CASE("one more than the baseline allows fails, and then all are new") {
    const Workplace run;
    const std::string& node = noted();
    write(run / "node.dump", node);
    const Json before = Json::parse(run("--output json node.dump").out).at("files").at(0);
    Json entries = Json::array();
    for (const Json& finding : before.at("diagnostics"))
        entries.push_back({{"path", "node.dump"}, {"rule", finding.at("rule")}, {"count", 1}});
    write(run / "known.json", "{\"schema_version\": 1, \"entries\": " + entries.dump() + "}");
    CHECK(run("--fail-on note node.dump").status == 1);
    CHECK(run("--baseline known.json --fail-on note node.dump").status == 0);

    constexpr size_t kHeader = 40;  // all records once more
    write(run / "node.dump", node + node.substr(kHeader));
    const std::string checking = "--baseline known.json --fail-on note --select jitdump/load-name-non-ascii node.dump ";
    const Run more = run(checking + "--output json");
    CHECK(more.status == 1);
    const Json file = Json::parse(more.out).at("files").at(0);
    CHECK(file.at("suppressed") == Json::object());
    CHECK(file.at("surplus") == Json{{"jitdump/load-name-non-ascii", {{"found", 2}, {"allowed", 1}}}});
    CHECK(file.at("diagnostics").size() == 2);
    for (const Json& finding : file.at("diagnostics")) CHECK_FALSE(finding.contains("suppressed"));
    CHECK(has(run(checking).out,
              "more than the baseline allows\n      2  jitdump/load-name-non-ascii, of which 1 are allowed\n"));
    // Findings that are counted but not kept count.
    CHECK(run(checking + "--max-per-rule 1").status == 1);
}

TEST_CASE("an entry is for the files that its pattern matches, relative to the baseline, and counts for each of them") {
    const Workplace run;
    fs::create_directories(run / "ci");
    fs::create_directories(run / "traces/old");
    for (const char* name : {"traces/a.dump", "traces/old/b.dump"}) write(run / name, cut());
    const auto status = [&](std::string_view path) {
        write(run / "ci/known.json", known(path, 1));
        return run("--baseline ci/known.json -j 2 traces").status;
    };
    CHECK(status("../traces/**") == 0);
    CHECK(status("../traces/**/*.dump") == 0);
    CHECK(status("../traces/*.dump") == 1);
    CHECK(status("traces/**") == 1);
    CHECK(status("*.dump") == 1);
    CHECK(status("**") == 0);
    write(run / "known.json", known("./traces/a.dump", 1));
    CHECK(run("--baseline known.json traces/a.dump").status == 0);
    CHECK(run("--baseline known.json ./traces/old/../a.dump").status == 0);
    CHECK(run("--baseline known.json " + (run / "traces/a.dump").string()).status == 0);
    CHECK(run.shell("cd traces/old; \"$T\" --baseline ../../known.json ../a.dump").status == 0);
    write(run / "known.json", known("-", 1));
    CHECK(run("--baseline known.json - <traces/a.dump").status == 0);
    write(run / "known.json", known(fs::canonical(run / "traces").string() + "/a.dump", 1));
    CHECK(run("--baseline known.json traces/a.dump").status == 0);
    for (const char* folder : {"traces", "traces/", "./traces/", "x/../traces"}) {
        CAPTURE(folder);
        write(run / "ci/known.json", known(std::string("../") + folder, 1));
        CHECK(run("--baseline ci/known.json traces").status == 0);
        write(run / "known.json", known(folder, 1));
        CHECK(run("--baseline known.json traces").status == 0);
    }
    CHECK(status("../traces/*") == 1);
    CHECK(status("../*/old") == 1);
    // The last entry counts.
    const std::string few = "{\"path\": \"traces/a.dump\", \"rule\": \"jitdump/truncated-record\", \"count\": 1}";
    const std::string many = "{\"path\": \"traces/**\", \"rule\": \"jitdump/truncated-record\", \"count\": 5}";
    write(run / "known.json", with(many + "," + few));
    CHECK(has(run("--baseline known.json traces/a.dump").err, "known.json:1: stale entry: 5 "));
    write(run / "known.json", with(few + "," + many));
    CHECK(run("--baseline known.json traces/a.dump").status == 0);
}

TEST_CASE("an entry is for its own path, whatever bytes that has") {
    const std::vector<std::string> paths = {"\xff.dump",    "\xfe.dump",     "\xef\xbf\xbd.dump",
                                            R"(\xff.dump)", R"(\\xff.dump)", "a\n.dump"};
    Outcome outcome{CheckOptions()};
    outcome.context.report.add(kUnknownFormat, Place{});
    const auto run_of = [](const std::string& text) {
        Baseline baseline = parse_baseline_text("b.json", text);
        baseline.folder = "/a";
        return std::make_unique<BaselineRun>(baseline, std::chrono::sys_days(std::chrono::days(20'000)),
                                             BaselineScope{.collects = Severity::note});
    };
    for (const std::string& listed : paths) {
        CAPTURE(listed);
        const auto before = run_of(with(""));
        before->take("/a/" + listed, outcome);
        const std::string text = text_of(before->updated(true, ""));
        for (const std::string& path : paths)
            CHECK((run_of(text)->take("/a/" + path, outcome).count(outcome.report()) != 0) == (path == listed));
    }
    const auto all = run_of(with(""));
    for (const std::string& path : paths) all->take("/a/" + path, outcome);
    const auto again = run_of(text_of(all->updated(true, "")));
    for (const std::string& path : paths) CHECK(again->take("/a/" + path, outcome).count(outcome.report()) == 1);
    // As versions before 0.2.0 wrote it.
    const auto older = run_of(with_entry(R"("path": "?.dump", "rule": "input/unknown-format", "count": 1)"));
    CHECK(older->take("/a/\xff.dump", outcome).count(outcome.report()) == 1);
}

TEST_CASE("a configuration may name the baseline, relative to its folder") {
    const Workplace run;
    fs::create_directories(run / "traces");
    write(run / "traces/a.dump", cut());
    write(run / "known.json", known("traces/*", 1));
    write(run / ".tracelint.json", R"({"baseline": "known.json", "strict_baseline": true})");
    CHECK(run("traces").status == 0);
    CHECK(run.shell("cd traces; \"$T\" a.dump").status == 0);
    write(run / "none.json", with(""));
    CHECK(run("--baseline none.json traces").status == 1);
    write(run / "known.json", known("traces/*", 2));
    const Run stale = run("traces");
    CHECK(stale.status == 1);
    CHECK(stale.err == "tracelint: known.json:1: stale entry: 2 jitdump/truncated-record in traces/*; found 1\n");
}

TEST_CASE("stale and expired entries are named, and fail where the user says so") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "clean.dump", clean());
    const auto complaint = [&](const std::string& text, const std::string& options, int status) {
        write(run / "known.json", text);
        const Run result = run.shell("SOURCE_DATE_EPOCH=1798761600 \"$T\" --baseline known.json --quiet " + options);
        CHECK_MESSAGE(result.status == status, options);
        return result.err;
    };
    const std::string few = "tracelint: known.json:1: stale entry: 3 jitdump/truncated-record in *.dump; found 1\n";
    CHECK(complaint(known("*.dump", 3), "cut.dump", 0) == few);
    CHECK(complaint(known("*.dump", 3), "--strict-baseline cut.dump", 1) == few);
    CHECK(complaint(known("*.dump", 1), "--strict-baseline cut.dump clean.dump", 0).empty());
    CHECK(complaint(known("*.dump", 1), "--strict-baseline clean.dump", 1) ==
          "tracelint: known.json:1: stale entry: 1 jitdump/truncated-record in *.dump; found none\n");
    // A run on some of the files.
    CHECK(complaint(known("cut.dump", 1), "clean.dump", 0) ==
          "tracelint: known.json: no file of this run matches 1 entry\n");
    CHECK(
        complaint(known("cut.dump", 1), "--strict-baseline clean.dump", 1) ==
        "tracelint: known.json:1: stale entry: 1 jitdump/truncated-record in cut.dump; no file of this run matches\n");
    // The first of January 2027: the last day was yesterday, is today.
    const std::string yesterday = R"(, "expires": "2026-12-31")", today = R"(, "expires": "2027-01-01")";
    CHECK(complaint(known("cut.dump", 1, yesterday), "cut.dump", 1) ==
          "tracelint: known.json:1: stale entry: 1 jitdump/truncated-record in cut.dump; expired on 2026-12-31\n");
    CHECK(complaint(known("cut.dump", 1, yesterday), "--fail-on never cut.dump", 0).size() > 0);
    CHECK(complaint(known("cut.dump", 1, yesterday), "--fail-on never --strict-baseline cut.dump", 1).size() > 0);
    CHECK(complaint(known("cut.dump", 1, today), "--strict-baseline cut.dump", 0).empty());
    const Json document =
        Json::parse(run.shell("SOURCE_DATE_EPOCH=4102444800 \"$T\" --baseline known.json --output json cut.dump").out);
    CHECK(schema_fault(output_schema(), "", document) == "");
    CHECK(document.at("summary").at("baseline").at("stale") ==
          Json::array(
              {{{"line", 1}, {"path", "cut.dump"}, {"rule", kRule}, {"count", 1}, {"found", 1}, {"why", "expired"}}}));
    CHECK(run("--strict-baseline cut.dump").err == "tracelint: --strict-baseline needs --baseline\n");
    CHECK(run("--baseline known.json --baseline known.json cut.dump").err ==
          "tracelint: --baseline can be given only once\n");
    const Run wrong = run.shell("SOURCE_DATE_EPOCH=x \"$T\" --baseline known.json cut.dump");
    CHECK(wrong.status == 2);
    CHECK(wrong.err == "tracelint: SOURCE_DATE_EPOCH: invalid number of seconds 'x'\n");
}

TEST_CASE("a baseline that cannot be read is a usage error") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "wrong.json", "{\"schema_version\": 1,\n\"entries\": 1}");
    for (const char* command : {"--baseline $B cut.dump", "baseline check $B cut.dump", "baseline update $B cut.dump",
                                "baseline update --accept-new $B cut.dump"}) {
        CAPTURE(command);
        const Run missing = run.shell("B=none.json; \"$T\" " + std::string(command));
        const bool creates = has(command, "--accept-new");
        CHECK(missing.status == (creates ? 0 : 2));
        CHECK(missing.out.empty() == !creates);
        CHECK(fs::remove(run / "none.json") == creates);
        const Run wrong = run.shell("B=wrong.json; \"$T\" " + std::string(command));
        CHECK(wrong.status == 2);
        CHECK(wrong.err == "tracelint: wrong.json:2:12: entries must be an array\n");
    }
    CHECK(run("baseline update none.json cut.dump").err ==
          "tracelint: none.json: no such file; --accept-new creates the baseline\n");
    CHECK(has(run("--baseline none.json cut.dump").err, "tracelint: none.json: cannot open: "));
    CHECK(run("--baseline wrong.json --output json=wrong.json cut.dump").err ==
          "tracelint: --output: wrong.json is the baseline\n");
    CHECK(has(run("baseline updat known.json cut.dump").err, "did you mean 'update'?"));
    CHECK(has(run("baseline").err, "update or check is missing"));
    CHECK(has(run("baseline check").err, "no baseline given"));
    CHECK(has(run("baseline check known.json").err, "no input given"));
    CHECK(has(run("baseline --help").out, "--accept-new"));
    CHECK(run.names() == std::vector<std::string>{"cut.dump", "wrong.json"});
}

TEST_CASE("a project goes from red to green, and one more is red again") {
    const Workplace run;
    fs::create_directories(run / "traces");
    write(run / "traces/a.dump", cut());
    CHECK(run("traces").status == 1);
    const Run created = run("baseline update --accept-new --reason 'the runtime is killed' known.json traces");
    CHECK(created.status == 0);
    CHECK(created.out == "new      1 jitdump/truncated-record in traces/a.dump\nknown.json: 1 entry, written\n");
    CHECK(content_of(run / "known.json") == R"({
  "schema_version": 1,
  "entries": [
    {"path":"traces/a.dump","rule":"jitdump/truncated-record","count":1,"reason":"the runtime is killed"}
  ]
}
)");
    CHECK(run("--baseline known.json traces").status == 0);
    const Run same = run("baseline check known.json traces");
    CHECK(same.status == 0);
    CHECK(same.out == "known.json: 1 entry, up to date\n");
    CHECK(run("baseline update known.json traces").out == "known.json: 1 entry, unchanged\n");
    CHECK(run("baseline check --quiet known.json traces").out.empty());

    write(run / "traces/b[1].dump", cut());
    CHECK(run("--baseline known.json traces").status == 1);
    const Run differs = run("baseline check known.json traces");
    CHECK(differs.status == 1);
    CHECK(differs.out ==
          "new      1 jitdump/truncated-record in traces/b\\[1].dump\nknown.json: 1 entry, not up to date\n");
    // It does not grow by itself.
    const std::string before = content_of(run / "known.json");
    const Run refused = run("baseline update known.json traces");
    CHECK(refused.status == 1);
    CHECK(has(refused.out, "known.json: 1 entry, unchanged; 1 not accepted, which --accept-new would add\n"));
    CHECK(content_of(run / "known.json") == before);
    CHECK(run("baseline update --accept-new known.json traces").status == 0);
    CHECK(run("--baseline known.json --strict-baseline traces").status == 0);

    // But it shrinks, and keeps its order.
    write(run / "traces/a.dump", clean());
    const Run shrunk = run("baseline update known.json traces");
    CHECK(shrunk.status == 0);
    CHECK(shrunk.out ==
          "fewer    1 jitdump/truncated-record in traces/a.dump; found none\nknown.json: 1 entry, written\n");
    CHECK(has(content_of(run / "known.json"), "b\\\\[1].dump"));
    CHECK_FALSE(has(content_of(run / "known.json"), "a.dump"));
    // An entry goes when its file does, not when the run is about others.
    CHECK(run("baseline update known.json traces/a.dump").out ==
          "no file  1 jitdump/truncated-record in traces/b\\[1].dump; no file of this run matches\n"
          "known.json: 1 entry, unchanged\n");
    fs::remove(run / "traces/b[1].dump");
    CHECK(has(run("baseline update known.json traces").out, "known.json: 0 entries, written\n"));
    CHECK(run.names() == std::vector<std::string>{"known.json", "traces"});
    // A folder that does not exist.
    const Run unwritable = run("baseline update --accept-new none/known.json traces");
    CHECK(unwritable.status == 4);
    CHECK(unwritable.err == "tracelint: cannot write none/known.json: No such file or directory\n");
}

TEST_CASE("an update keeps reasons, order and expired entries") {
    const Workplace run;
    for (const char* name : {"a.dump", "b.dump", "c.dump"}) write(run / name, cut());
    const auto entry = [](std::string_view path, int count, std::string_view more) {
        return R"({"path":")" + std::string(path) + R"(","rule":"jitdump/truncated-record","count":)" +
               std::to_string(count) + std::string(more) + "}";
    };
    write(run / "known.json", with(entry("b.dump", 4, R"(,"reason":"B","expires":"2999-01-01")") + "," +
                                   entry("a.dump", 1, R"(,"reason":"A","expires":"2001-01-01")")));
    const Run updated = run("baseline update --accept-new known.json a.dump b.dump c.dump");
    CHECK(updated.status == 1);
    CHECK(updated.out ==
          "more     1 jitdump/truncated-record in a.dump; allowed until 2001-01-01\n"
          "new      1 jitdump/truncated-record in c.dump\n"
          "fewer    4 jitdump/truncated-record in b.dump; found 1\n"
          "expired  1 jitdump/truncated-record in a.dump; expired on 2001-01-01\n"
          "known.json: 3 entries, written; 1 not accepted\n");
    CHECK(content_of(run / "known.json") == "{\n  \"schema_version\": 1,\n  \"entries\": [\n    " +
                                                entry("b.dump", 1, R"(,"reason":"B","expires":"2999-01-01")") +
                                                ",\n    " +
                                                entry("a.dump", 1, R"(,"reason":"A","expires":"2001-01-01")") +
                                                ",\n    " + entry("c.dump", 1, "") + "\n  ]\n}\n");
}

TEST_CASE("an update drops no entry that it cannot judge") {
    const Workplace run;
    fs::create_directories(run / "traces/old");
    write(run / "traces/a.dump", clean());
    write(run / "traces/old/b.dump", cut());
    const auto updated = [&](const std::string& entry, const std::string& arguments) {
        write(run / "known.json", entry);
        const Run done = run("baseline update " + arguments);
        CHECK_MESSAGE(done.status == 0, done.err);
        const Json entries = Json::parse(content_of(run / "known.json")).at("entries");
        return entries.empty() ? 0 : entries.at(0).at("count").get<int>();
    };
    const std::string live = known("traces/old/b.dump", 1, R"(, "reason": "why")");
    // A rule that this run does not check.
    for (const char* options : {"--select xray/", "--off jitdump/", "--ignore jitdump/truncated-record"}) {
        CAPTURE(options);
        CHECK(updated(live, std::string(options) + " known.json traces") == 1);
        CHECK(updated(live, std::string(options) + " --all-files known.json traces") == 1);
        const Run strict = run(std::string("--strict-baseline --baseline known.json ") + options + " traces");
        CHECK(strict.status == 0);
        CHECK(strict.err.empty());
    }
    write(run / ".tracelint.json", R"({"overrides": [{"files": "old/", "severities": {"jitdump/": "off"}}]})");
    CHECK(updated(live, "known.json traces") == 1);
    CHECK(updated(known("traces/**", 5), "known.json traces") == 5);
    fs::remove(run / ".tracelint.json");
    CHECK(updated(known("traces/old/b.dump", 2), "--note jitdump/ known.json traces") == 1);
    CHECK(updated(known("traces/a.dump", 2), "known.json traces/a.dump") == 0);

    // An entry that may be for other files.
    const struct {
        std::string_view pattern, arguments;
        int count;
    } cases[] = {
        {"traces/**", "known.json traces/a.dump", 5},
        {"traces", "known.json traces/a.dump", 5},
        {"traces/", "known.json traces/old/b.dump", 5},
        {"traces/**", "known.json traces/old", 5},
        {"traces/**", "--exclude old known.json traces", 5},
        {"traces/**", "--all-files known.json traces/a.dump", 0},
        {"traces/**", "known.json traces", 1},
        {"traces", "known.json traces", 1},
        {"traces/**", "known.json .", 1},
        {"./traces/old/*", "known.json traces", 1},
        {"traces/old/*", "known.json traces/old", 1},
        {"**/*.dump", "known.json traces", 5},
        {"**/*.dump", "known.json ./", 1},
        {"traces/*.dump", "known.json traces/a.dump", 5},
    };
    for (const auto& [pattern, arguments, count] : cases) {
        CAPTURE(pattern);
        CAPTURE(arguments);
        CHECK(updated(known(pattern, 5), std::string(arguments)) == count);
    }
    write(run / "known.json", known("traces/**", 5));
    CHECK(run("baseline update known.json traces/a.dump").out ==
          "fewer    5 jitdump/truncated-record in traces/**; found none; kept: its pattern may match files "
          "that were not checked (--all-files changes it)\nknown.json: 1 entry, unchanged\n");
}

TEST_CASE("an update refuses what it would ignore") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const struct {
        std::string_view arguments, fault;
    } cases[] = {
        {"--output json", "baseline: standard output has the differences; expected --output json=FILE"},
        {"--output sarif=-", "baseline: standard output has the differences; expected --output sarif=FILE"},
        {"--baseline x", "baseline: --baseline is an option of check, not of baseline"},
        {"--strict-baseline", "baseline: --strict-baseline is an option of check, not of baseline"},
        {"--accept-new --fail-on never", "baseline: with --fail-on never, no finding can be known"},
    };
    for (const auto& [arguments, fault] : cases) {
        const Run refused = run("baseline update " + std::string(arguments) + " known.json cut.dump");
        CHECK(refused.status == 2);
        CHECK(refused.err == "tracelint: " + std::string(fault) + '\n');
        CHECK_FALSE(fs::exists(run / "known.json"));
    }
    // What the configuration says of checks does not hinder an update.
    write(run / ".tracelint.json", R"({"output": "concise", "baseline": "known.json", "strict_baseline": true})");
    CHECK(run("baseline update --accept-new known.json cut.dump").status == 0);
    CHECK(run("cut.dump").status == 0);
}

TEST_CASE("an update needs all files, and severity decides what is new") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "node.dump", noted());
    const Run missing = run("baseline update --accept-new known.json cut.dump none.dump");
    CHECK(missing.status == 3);
    CHECK(has(missing.err, "known.json: not changed, because not every file was checked to its end\n"));
    CHECK_FALSE(fs::exists(run / "known.json"));
    CHECK(run("baseline update --accept-new known.json node.dump").out == "known.json: 0 entries, written\n");
    CHECK(run("baseline update --accept-new --fail-on note known.json node.dump").status == 0);
    CHECK(Json::parse(content_of(run / "known.json")).at("entries").size() == 5);
    CHECK(run("--baseline known.json --fail-on note node.dump").status == 0);
}

}  // namespace
}  // namespace tracelint
