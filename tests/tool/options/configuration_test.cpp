// The configuration: JSON with places, the faults of a file, and its effect.
#include "validator/tool/options/configuration.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/tool/text_oracles.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using namespace std::string_view_literals;

TEST_CASE("line and column are counted from 1, columns in characters") {
    const std::string_view text = "a\n\xc3\xa9z\n";
    CHECK(line_and_column(text, 0) == "1:1");
    CHECK(line_and_column(text, 1) == "1:2");
    CHECK(line_and_column(text, 2) == "2:1");
    CHECK(line_and_column(text, 4) == "2:2");
    CHECK(line_and_column(text, 6) == "3:1");
    CHECK(line_and_column("", 0) == "1:1");
}

// The offset of each value and key, as "kind@offset".
void list_places(const LocatedJson& value, std::string& list) {
    constexpr std::string_view kKinds[] = {"null", "boolean", "number", "string", "array", "object"};
    list += std::string(kKinds[static_cast<size_t>(value.kind)]) + '@' + std::to_string(value.at) + ' ';
    for (const LocatedJson& element : value.elements) list_places(element, list);
    for (const LocatedJson::Member& member : value.members) {
        list += member.key + '@' + std::to_string(member.at) + ' ';
        list_places(member.value, list);
    }
}

TEST_CASE("values and keys know where they stand") {
    const struct {
        std::string_view text, places;
    } cases[] = {
        {"7", "number@0 "},
        {" -1.5e3 ", "number@1 "},
        {"[1,2 ,true,null/**/,false]", "array@0 number@1 number@3 boolean@6 null@11 boolean@20 "},
        {"{\"a\": \"b\"}", "object@0 a@1 string@6 "},
        {"// x\n{ \"a\" :1}", "object@5 a@7 number@12 "},
        {R"({"\"\\":"\\\""})", "object@0 \"\\@1 string@8 "},
        {R"(["", "\\", {}])", "array@0 string@1 string@5 object@11 "},
        {"\xef\xbb\xbf[1]", "array@3 number@4 "},
    };
    for (const auto& [text, places] : cases) {
        std::string found;
        list_places(parse_located_json(text), found);
        CHECK_MESSAGE(found == places, text);
    }
}

std::string nested(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

// What is wrong with a configuration, including its options; empty if nothing is.
std::string fault_of(const std::string& text, bool is_found = false) {
    try {
        auto configuration = std::make_shared<Configuration>(parse_configuration("c.json", text));
        configuration->is_found = is_found;
        const std::string error = parse_command_line({"a.dump"}, configuration).error;
        return error;
    } catch (const UsageError& error) {
        return error.message;
    }
}

const struct {
    std::string_view text, fault;
} kFaulty[] = {
    {"", "c.json:1:1: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal"},
    {"[]", "c.json:1:1: a configuration must be an object"},
    {"{}\0"sv, "c.json:1:3: a NUL, which JSON cannot contain; is the file damaged?"},
    {"{\"quiet\": true}\n\0{\"severities\": 5, x"sv,
     "c.json:2:1: a NUL, which JSON cannot contain; is the file damaged?"},
    {"{\"quiet\": \0true}"sv, "c.json:1:11: a NUL, which JSON cannot contain; is the file damaged?"},
    {"// a\0b\n{}"sv, "c.json:1:5: a NUL, which JSON cannot contain; is the file damaged?"},
    {"// a\0"sv, "c.json:1:5: a NUL, which JSON cannot contain; is the file damaged?"},
    {"/* a\0 */ {}"sv,
     "c.json:1:5: syntax error while parsing value - invalid comment; missing closing '*/'; last read: '/* a<U+0000>'"},
    {"\0\0\0\0\0"sv, "c.json:1:1: a NUL, which JSON cannot contain; is the file damaged?"},
    {"{\"quiet\": tru}\0"sv,
     "c.json:1:14: syntax error while parsing value - invalid literal; last read: '\"quiet\": tru}'"},
    {"{\"quiet\": true,}\0"sv,
     "c.json:1:16: syntax error while parsing object key - unexpected '}'; expected string literal"},
    {"\xff\xfe{\0}\0"sv, "c.json:1:1: the text is in UTF-16; expected UTF-8"},
    {"\xfe\xff\0{\0}"sv, "c.json:1:1: the text is in UTF-16; expected UTF-8"},
    {"\xff\xfe"sv, "c.json:1:1: the text is in UTF-16; expected UTF-8"},
    {"{\0}\0"sv, "c.json:1:1: the text is in UTF-16; expected UTF-8"},
    {"\0{\0}"sv, "c.json:1:1: the text is in UTF-16; expected UTF-8"},
    {"\xff\xfe\0\0{\0\0\0"sv, "c.json:1:1: the text is in UTF-32; expected UTF-8"},
    {"\0\0\xfe\xff\0\0\0{"sv, "c.json:1:1: the text is in UTF-32; expected UTF-8"},
    {"{\0\0\0}\0\0\0"sv, "c.json:1:1: the text is in UTF-32; expected UTF-8"},
    {"\0\0\0{\0\0\0}"sv, "c.json:1:1: the text is in UTF-32; expected UTF-8"},
    {"{\n  \"quiet\": tru\n}",
     "c.json:2:15: syntax error while parsing value - invalid literal; last read: '\"quiet\": tru<U+000A>'"},
    {"{\"quiet\": true,}",
     "c.json:1:16: syntax error while parsing object key - unexpected '}'; expected string literal"},
    {"{\"quiet\": true, \"quiet\": true}", "c.json:1:17: 'quiet' is given twice"},
    {"{\n\n  \"quite\": true}", "c.json:3:3: unknown key 'quite'; did you mean 'quiet'?"},
    {"{\"\xc3\xa9\": 1, \"quiet\": true}", "c.json:1:2: unknown key '\xc3\xa9'"},
    {"{\"fail-on\": \"error\"}", "c.json:1:2: unknown key 'fail-on'; did you mean 'fail_on'?"},
    {"{\"severitys\": {}}", "c.json:1:2: unknown key 'severitys'; did you mean 'severities'?"},
    {"{\"version\": true}", "c.json:1:2: unknown key 'version'"},
    {"{\"config\": \"x\"}", "c.json:1:2: 'config' is not a configuration key"},
    {"{\"off\": \"xray/\"}", "c.json:1:2: 'off' is not a configuration key; give the rule under \"severities\""},
    {"{\"quiet\": 1}", "c.json:1:11: quiet must be true or false"},
    {"{\"fail_on\": true}", "c.json:1:13: fail_on must be a string or a number"},
    {"{\"fail_on\": null}", "c.json:1:13: fail_on must be a string or a number"},
    {"{\"fail_on\": {}}", "c.json:1:13: fail_on must be a string or a number"},
    {"{\"fail_on\": [\"note\", \"error\"]}", "c.json:1:13: fail_on must be a string or a number"},
    {"{\"baseline\": [\"a\", \"b\"]}", "c.json:1:14: baseline must be a string or a number"},
    {"{\"max_per_rule\": [1]}", "c.json:1:18: max_per_rule must be a string or a number"},
    {"{\"$schema\": 5}", "c.json:1:13: $schema must be a string"},
    {"{\"select\": [\"xray/\", []]}", "c.json:1:22: select must be a string or a number, or an array of them"},
    {"{\"fail_on\": \"eror\"}",
     "c.json:1:13: fail_on: invalid value 'eror'; expected error, warning, note or never; did you mean 'error'?"},
    {"{\"as\": \"jitdmp\"}",
     "c.json:1:8: as: unknown format 'jitdmp'; expected jitdump, xray, gperftools, mlpd, perfmap, perfdata, pprof or "
     "nettrace; "
     "did you mean 'jitdump'?"},
    {"{\"max_per_rule\": -1}", "c.json:1:18: max_per_rule: invalid number '-1'"},
    {"{\"max_memory\": 1.5}",
     "c.json:1:16: max_memory: invalid size '1.5'; expected a number of bytes, such as 4096, 64K, 16M or 1G"},
    {"{\"max_memory\": 1e999}", "c.json:1:21: number overflow parsing '1e999'"},
    {"{\"ignore\": [\"xray/\", \"xary/\"]}",
     "c.json:1:22: ignore: no rule matches 'xary/'; expected a rule (tracelint rules lists them), a format or a prefix "
     "that ends in a slash or dash; did you mean 'xray/'?"},
    {"{\"severities\": []}", "c.json:1:16: severities must be an object"},
    {"{\"severities\": {\"jitdump/bad-magik\": \"note\"}}",
     "c.json:1:17: no rule matches 'jitdump/bad-magik'; expected a rule (tracelint rules lists them), a format or a "
     "prefix that ends in a slash or dash; did you mean 'jitdump/bad-magic'?"},
    {"{\"severities\": {\"jitdump/\": \"warn\"}}",
     "c.json:1:29: invalid severity of jitdump/; expected error, warning, note or off"},
    {"{\"severities\": {\"jitdump/\": 1}}",
     "c.json:1:29: invalid severity of jitdump/; expected error, warning, note or off"},
    {"{\"expect\": []}", "c.json:1:12: expect must be an object or a format"},
    {"{\"expect\": \"jitdmp\"}",
     "c.json:1:12: invalid format; expected jitdump, xray, gperftools, mlpd, perfmap, perfdata, pprof or nettrace; did "
     "you mean "
     "'jitdump'?"},
    {"{\"expect\": {\"format\": 1}}",
     "c.json:1:23: invalid format; expected jitdump, xray, gperftools, mlpd, perfmap, perfdata, pprof or nettrace"},
    {"{\"expect\": {\"name\": \"main\"}}",
     "c.json:1:13: unknown key 'name' in expect; expected format, statistics, names or files; did you mean 'names'?"},
    {"{\"expect\": {\"files\": 2}}", "c.json:1:13: files can only be expected in an override"},
    {"{\"expect\": {\"statistics\": [\"LOAD\"]}}", "c.json:1:27: statistics must be an object"},
    {"{\"expect\": {\"statistics\": {\"LAOD\": 1}, \"format\": \"jitdump\"}}",
     "c.json:1:28: unknown statistic 'LAOD' of jitdump; --statistics shows those of a file; did you mean 'LOAD'?"},
    {"{\"expect\": {\"statistics\": {\"LOADS\": 1}}}",
     "c.json:1:28: unknown statistic 'LOADS'; --statistics shows those of a file; did you mean 'LOAD'?"},
    {"{\"expect\": {\"format\": \"xray\", \"statistics\": {\"LOAD\": 1}}}",
     "c.json:1:46: unknown statistic 'LOAD' of xray; --statistics shows those of a file"},
    {"{\"expect\": {\"statistics\": {\"LOAD\": -1}}}", "c.json:1:36: the count of a statistic must be 0 or more"},
    {"{\"expect\": {\"statistics\": {\"LOAD\": \"1\"}}}", "c.json:1:36: the count of a statistic must be 0 or more"},
    {"{\"expect\": {\"names\": 1}}", "c.json:1:22: names must be a string or an array of strings"},
    {"{\"expect\": {\"names\": [\"main\", {}]}}", "c.json:1:31: names must be a string or an array of strings"},
    {"{\"expect\": {\"names\": \"ma[in\"}}", "c.json:1:22: a pattern has a [ without a ]"},
    {"{\"expect\": {\"names\": \"\\u001b\"}}", "c.json:1:22: a pattern has unprintable characters"},
    {"{\"expect\": {\"names\": \"main\", \"format\": \"xray\"}}",
     "c.json:1:22: files of format xray have no names of functions"},
    {"{\"overrides\": [{\"files\": \"a\", \"expect\": {\"files\": 1.5}}]}", "c.json:1:51: files must be 0 or more"},
    {"{\"strict_baseline\": \"yes\"}", "c.json:1:21: strict_baseline must be true or false"},
    {"{\"baseline\": {}}", "c.json:1:14: baseline must be a string or a number"},
    {"{\"baseline\": \"\"}", "c.json:1:14: baseline: file name missing"},
    {"{\"overrides\": {}}", "c.json:1:15: overrides must be an array"},
    {"{\"overrides\": [1]}", "c.json:1:16: an override must be an object"},
    {"{\"overrides\": [{\"format\": \"xray\"}]}",
     "c.json:1:16: an override needs files: the patterns of the files that it applies to"},
    {"{\"overrides\": [{\"files\": []}]}", "c.json:1:26: files must be a string or an array of strings"},
    {"{\"overrides\": [{\"files\": [1]}]}", "c.json:1:26: files must be a string or an array of strings"},
    {"{\"overrides\": [{\"files\": \"a[\"}]}", "c.json:1:26: a pattern has a [ without a ]"},
    {"{\"overrides\": [{\"files\": \"a\", \"serverities\": {}}]}",
     "c.json:1:31: unknown key 'serverities' in an override; did you mean 'severities'?"},
    {"{\"overrides\": [{\"files\": \"a\", \"quiet\": true}]}", "c.json:1:31: unknown key 'quiet' in an override"},
    {"{\"overrides\": [{\"files\": \"a\", \"format\": \"xra\"}]}",
     "c.json:1:41: invalid format; expected jitdump, xray, gperftools, mlpd, perfmap, perfdata, pprof or nettrace; did "
     "you mean "
     "'xray'?"},
    {"{\"overrides\": [{\"files\": \"a\", \"samply_260\": \"teir\"}]}",
     "c.json:1:45: invalid samply_260; expected auto, positions or tier; did you mean 'tier'?"},
    {"{\"overrides\": [{\"files\": \"a\", \"severities\": {\"nope/\": \"off\"}}]}",
     "c.json:1:46: no rule matches 'nope/'; expected a rule (tracelint rules lists them), a format or a prefix that "
     "ends in a slash or dash"},
};

TEST_CASE("each mistake in a configuration is named, with line and column") {
    for (const auto& [text, fault] : kFaulty) CHECK_MESSAGE(fault_of(std::string(text)) == fault, text);
    CHECK(fault_of(nested(17)) == "c.json:1:17: more than 16 arrays and objects inside each other");
    CHECK(fault_of(nested(16)) == "c.json:1:1: a configuration must be an object");
    CHECK(has(fault_of(std::string(kLargestConfiguration + 1, ' ')), "the file is larger than 256.0 KiB"));
    const std::string glob = '"' + std::string(kMostGlobs / 2, 'a') + '"';
    CHECK(fault_of("{\"overrides\": [{\"files\": [" + glob + ", " + glob + "]}]}").empty());
    CHECK(has(fault_of("{\"overrides\": [{\"files\": [" + glob + ", " + glob + ", \"b\"]}]}"),
              "the patterns take more than 16384 bytes together"));
}

TEST_CASE("the message about a mistake is short, however long the value is") {
    const std::string text(200'000, 'x');
    const std::string places[] = {
        "{\"" + text + "\": 1}",
        "{\"" + text + "\": 1, \"" + text + "\": 1}",
        "{\"" + text,
        "{\"as\": \"" + text + "\"}",
        "{\"for\": \"" + text + "\"}",
        "{\"max_record\": \"" + text + "\"}",
        "{\"severities\": {\"" + text + "\": \"note\"}}",
        "{\"select\": \"" + text + "\"}",
        "{\"output\": \"" + text + "\"}",
        "{\"expect\": \"" + text + "\"}",
        "{\"expect\": {\"" + text + "\": 1}}",
        "{\"expect\": {\"statistics\": {\"" + text + "\": 1}}}",
        "{\"expect\": {\"names\": \"" + text + "\"}}",
        "{\"overrides\": [{\"" + text + "\": 1}]}",
        "{\"overrides\": [{\"files\": \"" + text + "\"}]}",
        "{\"overrides\": [{\"files\": \"a\", \"format\": \"" + text + "\"}]}",
        "{\"x\": " + std::string(200'000, '7') + "}",
    };
    for (const std::string& place : places) {
        CAPTURE(place.substr(0, 60));
        CHECK(fault_of(place).starts_with("c.json:1:"));
        CHECK(fault_of(place).size() < 500);
    }
    CHECK(fault_of(places[0]) ==
          "c.json:1:2: unknown key '" + std::string(140, 'x') + "..." + std::string(60, 'x') + "'");
    // Characters stay whole.
    std::string accents = "{\"";
    for (int i = 0; i < 1000; ++i) accents += "\xc3\xa9";
    CHECK_FALSE(has(fault_of(accents + "\": 1}"), "\\x"));
    CHECK_FALSE(has(fault_of("{\"a" + accents.substr(2) + "\": 1}"), "\\x"));
    CHECK(parse_command_line({"--" + text}).error.size() < 500);
}

const std::string_view kRight[] = {
    "{}",
    "// with a comment\n{ /* and another */ }",
    R"({"$schema": "configuration.schema.json"})",
    R"({"exclude": ["old/**", "*.tmp"]})",
    R"({"as": "jitdump", "fail_on": "never", "min_severity": "warning", "max_per_rule": 0, "quiet": false})",
    R"({"statistics": true, "color": "never", "max_memory": "64M", "max_record": 4096, "jobs": 2})",
    R"({"output": ["text", "json=x.json"], "select": "jitdump/", "ignore": ["xray/", "mlpd"]})",
    R"({"samply_260": "tier", "mlpd_variant": "mono", "max_per_rule": "7"})",
    R"({"severities": {"jitdump/": "note", "jitdump/bad-magic": "error", "xray": "off", "mlpd/": "warning"}})",
    R"({"expect": "xray", "baseline": "known.json", "strict_baseline": true})",
    R"({"expect": {"format": "jitdump", "statistics": {"LOAD": 1, "records": 0}, "names": ["ma?n*", "[a-c]/*"]}})",
    R"({"expect": {}, "overrides": [{"files": "*.mlpd", "expect": {"files": 0, "names": "*:Main*"}},
        {"files": "x", "expect": "gperftools"}, {"files": "y", "expect": {"statistics": {"samples": 100}}}]})",
    R"({"overrides": [{"files": "*.dump"}, {"files": ["a/**", "b"], "format": "xray", "samply_260": "auto",
        "mlpd_variant": "bt-il-offset", "severities": {"xray/": "off"}}]})",
};

TEST_CASE("configurations without a mistake are taken") {
    for (const std::string_view text : kRight) CHECK_MESSAGE(fault_of(std::string(text)) == "", text);
}

TEST_CASE("any text is a configuration or a mistake with a place. TRACELINT_SEEDS=N asks for more texts") {
    std::vector<std::string> texts;
    for (const std::string_view text : kRight) texts.emplace_back(text);
    for (const auto& [text, fault] : kFaulty) texts.emplace_back(text);
    for (const std::string& text : texts) hold(configuration(text));
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
        hold(configuration(text));
    }
}

TEST_CASE("a configuration that was not named names no output files") {
    CHECK(fault_of(R"({"output": ["text", "json=x"]})", true) ==
          "c.json:1:21: only a configuration that --config names may name output files");
    CHECK(fault_of(R"({"output": "json"})", true).empty());
}

TEST_CASE("the schema fits what is taken, and little else") {
    const nlohmann::json& schema = configuration_schema();
    for (const std::string_view text : kRight) {
        const auto json = nlohmann::json::parse(text, nullptr, true, true);
        CHECK_MESSAGE(schema_fault(schema, "", json) == "", text);
    }
    // A schema knows no rules, sizes or patterns.
    const std::set<std::string_view> beyond = {"no rule", "invalid number",    "invalid size", "a pattern has",
                                               "needs",   "unknown statistic", "no names of",  "file name missing"};
    for (const auto& [text, fault] : kFaulty) {
        const auto json = nlohmann::json::parse(text, nullptr, false, true);
        const bool is_beyond = std::ranges::any_of(beyond, [&](auto part) { return fault.find(part) != fault.npos; });
        const bool is_about_text = json.is_discarded() || fault.ends_with("given twice") || fault.ends_with("[1]") ||
                                   text.find('\0') != text.npos;
        if (!is_beyond && !is_about_text && fault.find("files must") == fault.npos)
            CHECK_MESSAGE(schema_fault(schema, "", json) != "", text);
    }
}

TEST_CASE("severities of the command line show in every output and decide the exit status") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const Run plain = run("--output concise cut.dump");
    CHECK(plain.status == 1);
    CHECK(has(plain.out, " error: "));
    for (const char* kind : {"text --notes", "concise --notes", "json", "ndjson", "sarif", "markdown"}) {
        CAPTURE(kind);
        const Run noted = run(std::string("--note jitdump/ --output ") + kind + " cut.dump");
        CHECK(noted.status == 0);
        CHECK(has(noted.out, "note"));
        CHECK_FALSE(has(noted.out, " error: "));
        CHECK_FALSE(has(noted.out, "\"severity\":\"error\""));
    }
    CHECK(run("--warning jitdump/truncated-record --fail-on warning cut.dump").status == 1);
    CHECK(run("--min-severity error --note jitdump/ --output concise cut.dump").out.empty());
    const Run off = run("--off jitdump/ cut.dump");
    CHECK(off.status == 0);
    CHECK_FALSE(has(off.out, "jitdump/truncated-record"));
    // The last one wins; rules may be separated by commas.
    CHECK(run("--note jitdump/ --error jitdump/truncated-record cut.dump").status == 1);
    CHECK(run("--error jitdump/truncated-record --note jitdump/ cut.dump").status == 0);
    CHECK(run("--note xray/,jitdump/ cut.dump").status == 0);
    // Severities enable nothing.
    CHECK(run("--ignore jitdump/ --error jitdump/ cut.dump").status == 0);
    CHECK(run("--select xray/ --error jitdump/ cut.dump").status == 0);
    CHECK(has(run("--error jitdump/trunkated-record cut.dump").err, "did you mean 'jitdump/truncated-record'?"));
}

TEST_CASE("the nearest configuration upward counts") {
    const Workplace run;
    fs::create_directories(run / "a/b");
    write(run / "cut.dump", cut());
    write(run / "a/.tracelint.json", R"({"severities": {"jitdump/": "note"}})");
    CHECK(run("cut.dump").status == 1);
    CHECK(run.shell("cd a; \"$T\" ../cut.dump").status == 0);
    CHECK(run.shell("cd a/b; \"$T\" ../../cut.dump").status == 0);
    CHECK(run.shell("cd a/b; \"$T\" --no-config ../../cut.dump").status == 1);
    CHECK(run("--config a/.tracelint.json cut.dump").status == 0);
    write(run / "a/b/.tracelint.json", "{}");
    CHECK(run.shell("cd a/b; \"$T\" ../../cut.dump").status == 1);
    write(run / "a/b/.tracelint.json", "{\n\"x\": 1}");
    const Run wrong = run.shell("cd a/b; \"$T\" ../../cut.dump");
    CHECK(wrong.status == 2);
    CHECK(wrong.err == "tracelint: " + (run / "a/b/.tracelint.json").string() + ":2:1: unknown key 'x'\n");
    // Other commands have no configuration, nor do help and version.
    CHECK(run.shell("cd a/b; \"$T\" rules").status == 0);
    CHECK(run.shell("cd a/b; \"$T\" --version").status == 0);
}

TEST_CASE("a file at the place of a configuration must be one") {
    const Workplace run;
    fs::create_directories(run / "a");
    write(run / "cut.dump", cut());
    write(run / "real.json", R"({"severities": {"jitdump/": "note"}})");
    const std::string name = (run / "a/.tracelint.json").string();
    const auto complaint = [&] {
        const Run wrong = run.shell("cd a; \"$T\" ../cut.dump");
        CHECK(wrong.status == 2);
        CHECK(run.shell("cd a; \"$T\" --no-config ../cut.dump").status == 1);
        fs::remove_all(name);
        return wrong.err;
    };
    REQUIRE(mkfifo(name.c_str(), 0600) == 0);
    CHECK(complaint() == "tracelint: " + name + ": is not a regular file; --no-config ignores it\n");
    fs::create_directory(name);
    CHECK(complaint() == "tracelint: " + name + ": is not a regular file; --no-config ignores it\n");
    fs::create_symlink("/no/such/file", name);
    CHECK(complaint() == "tracelint: " + name + ": cannot open: No such file or directory\n");
    fs::create_symlink("../real.json", name);
    CHECK(run.shell("cd a; \"$T\" ../cut.dump").status == 0);
    // A pipe may be named.
    REQUIRE(mkfifo((run / "pipe").c_str(), 0600) == 0);
    CHECK(run.shell("cat real.json >pipe & \"$T\" --config pipe cut.dump").status == 0);
}

TEST_CASE("the JSON outputs name the configuration") {
    const Workplace run;
    fs::create_directories(run / "a");
    write(run / "a/clean.dump", clean());
    const auto named = [&](const std::string& options) {
        const Run done = run.shell("cd a; \"$T\" --output json clean.dump " + options);
        const auto json = nlohmann::json::parse(done.out);
        CHECK(schema_fault(output_schema(), "", json) == "");
        return json.at("summary").value("configuration", "none");
    };
    CHECK(named("") == "none");
    write(run / ".tracelint.json", "{}");
    CHECK(named("") == fs::canonical(run / ".tracelint.json").string());
    CHECK(named("--no-config") == "none");
    CHECK(named("--config ../.tracelint.json") == "../.tracelint.json");
    CHECK(has(run.shell("cd a; \"$T\" --output ndjson clean.dump").out, "\"configuration\":"));
}

TEST_CASE("patterns of overrides may be anchored or absolute, and may name folders") {
    const Workplace run;
    fs::create_directories(run / "p/traces/old");
    const std::string base = fs::canonical(run / "p").string();
    for (const char* name : {"p/traces/a.dump", "p/traces/old/b.dump", "p/c.dump"}) write(run / name, cut());
    // The files for which the override is, by its severity.
    const auto files_of = [&](const std::string& pattern) {
        write(run / "p/.tracelint.json",
              R"({"overrides": [{"files": ")" + pattern + R"(", "severities": {"jitdump/": "note"}}]})");
        std::string found;
        for (const char* name : {"traces/a.dump", "traces/old/b.dump", "c.dump"}) {
            const int status = run.shell("cd p; \"$T\" " + std::string(name)).status;
            CHECK(run.shell("cd p/traces/old; \"$T\" " + base + "/" + name).status == status);
            CHECK(run.shell("cd p/traces/old; \"$T\" ../../" + std::string(name)).status == status);
            found += status == 0 ? std::string(name) + ' ' : "";
        }
        return found;
    };
    const std::string all = "traces/a.dump traces/old/b.dump c.dump ";
    const std::string below = "traces/a.dump traces/old/b.dump ";
    const std::pair<std::string, std::string> cases[] = {
        {"*.dump", all},
        {"./*.dump", "c.dump "},
        {"./c.dump", "c.dump "},
        {"././c.dump", "c.dump "},
        {"traces/*.dump", "traces/a.dump "},
        {"./traces/*.dump", "traces/a.dump "},
        {"../p/traces/*.dump", "traces/a.dump "},
        {"x/../traces/./*.dump", "traces/a.dump "},
        {base + "/traces/*.dump", "traces/a.dump "},
        {base + "/traces/", below},
        {"traces/", below},
        {"traces", below},
        {"./traces", below},
        {"traces//old", "traces/old/b.dump "},
        {"old", "traces/old/b.dump "},
        {"**/old/", "traces/old/b.dump "},
        {"o*", ""},
        {"o*/", "traces/old/b.dump "},
        {"traces/*", "traces/a.dump "},
        {"./", all},
        {".", all},
        {base, all},
        {"../p", all},
        {"..", all},
        {"../**", all},
        {"../q/**", ""},
        {"/traces/*", ""},
        {"*/../c.dump", ""},
    };
    for (const auto& [pattern, files] : cases) CHECK_MESSAGE(files_of(pattern) == files, pattern);
}

TEST_CASE("a configuration that cannot be read is a usage error") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const auto complaint = [&](const std::string& arguments) {
        const Run wrong = run(arguments);
        CHECK(wrong.status == 2);
        CHECK(wrong.out.empty());
        return wrong.err;
    };
    CHECK(complaint("--config none.json cut.dump") == "tracelint: none.json: cannot open: No such file or directory\n");
    CHECK(complaint("--config / cut.dump") == "tracelint: /: is a directory\n");
    CHECK(has(complaint("--config /dev/zero cut.dump"), "/dev/zero:1:262145: the file is larger than 256.0 KiB"));
    CHECK(has(complaint("--config x --no-config cut.dump"), "--config and --no-config exclude each other"));
}

TEST_CASE("the command line wins over the configuration, and an override over the rest of the configuration") {
    const Workplace run;
    fs::create_directories(run / "old");
    write(run / "cut.dump", cut());
    write(run / "old/cut.dump", cut());
    write(run / ".tracelint.json", R"({
        "fail_on": "warning",
        "output": "concise",
        "severities": {"jitdump/": "warning"},
        "overrides": [{"files": "old/**", "severities": {"jitdump/truncated-record": "note"}},
                      {"files": ["*.trace", "no/such"], "format": "jitdump"}]
    })");
    CHECK(has(run("cut.dump").out, " warning: "));
    CHECK(run("cut.dump").status == 1);
    CHECK(run("--fail-on error cut.dump").status == 0);
    CHECK(run("old/cut.dump").status == 0);
    CHECK(run((run / "old/cut.dump").string()).status == 0);
    CHECK(run("./old/../old/cut.dump").status == 0);
    CHECK(run.shell("cd old; \"$T\" cut.dump").status == 0);
    CHECK(run("old").status == 0);
    CHECK(run("--error jitdump/ old/cut.dump").status == 1);
    CHECK(has(run("--output text cut.dump").out, "help: "));
    // The format of an override, which --as replaces.
    write(run / "x.trace", "no trace at all");
    CHECK(has(run("x.trace").out, "[jitdump/bad-magic]"));
    CHECK(has(run(".").out, "x.trace:0x0"));
    CHECK(has(run("--as xray x.trace").out, "[xray/"));
}

TEST_CASE("--show-config prints the configuration of the run") {
    const Workplace run;
    CHECK(run("--show-config").out == "// no configuration file\n{}\n");
    write(run / "c.json", R"({"fail_on": "warning", "quiet": true, "max_per_rule": 5, "select": ["xray/", "jitdump/"],
        "severities": {"xray/": "off"}, "overrides": [{"files": "a/*", "format": "mlpd", "samply_260": "tier"}]})");
    const Run shown = run("--config c.json --show-config --fail-on note --note jitdump/ --off jitdump/bad-magic");
    CHECK(shown.status == 0);
    CHECK(shown.out == R"(// c.json
{
  "fail_on": "note",
  "quiet": true,
  "max_per_rule": "5",
  "select": [
    "xray/",
    "jitdump/"
  ],
  "severities": {
    "xray/": "off"
  },
  "overrides": [
    {
      "files": [
        "a/*"
      ],
      "format": "mlpd",
      "samply_260": "tier"
    },
    {
      "files": "**",
      "severities": {
        "jitdump/": "note",
        "jitdump/bad-magic": "off"
      }
    }
  ]
}
)");
    CHECK(fault_of(shown.out).empty());
    // What is given more than once and counts once is shown once.
    CHECK(has(run("--config c.json --show-config --fail-on note --fail-on error").out, "\"fail_on\": \"error\""));
    write(run / "wrong.json", "{\"quiet\": 1}");
    CHECK(run("--config wrong.json --show-config").status == 2);
}

}  // namespace
}  // namespace tracelint
