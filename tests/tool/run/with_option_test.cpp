// --with, and folders whose files belong together: what the outputs say, and the exit status.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/corpus.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kReal = kRoot / "corpus" / "siblings" / "real";

// A copy of a pair of the corpus, to be checked with the options of the command line.
class CopiedPair {
  public:
    explicit CopiedPair(const std::string& pair) {
        fs::create_directory(folder());
        fs::copy(kReal / pair, folder());
    }
    fs::path folder() const { return scratch_.path() / "pair"; }
    std::string path(const std::string& name) const { return (folder() / name).string(); }

    // Overwrites bytes of one file.
    void set(const std::string& name, size_t offset, std::string_view bytes) const {
        std::string all = read_file(folder() / name).value();
        all.replace(offset, bytes.size(), bytes);
        write_file(folder() / name, all);
    }

    // The exit status, and the text of an output.
    std::pair<int, std::string> check(const std::string& kind, std::vector<std::string> arguments) const {
        const std::string output = (scratch_.path() / "report").string();
        for (const std::string& one : {std::string("--no-config"), "--output=" + kind + "=" + output})
            arguments.insert(arguments.begin(), one);
        const Parsed parsed = parse_command_line(arguments);
        REQUIRE_MESSAGE(parsed.error.empty(), parsed.error);
        const int status = run_check(std::get<CheckLine>(parsed.command_line));
        return {status, read_file(output).value()};
    }

  private:
    ScratchFolder scratch_;
};

// Sets use_clockid of the pair's recording to 0.
void break_clock(const CopiedPair& pair) { pair.set("perf.data", 0xa3, "\x61"); }

TEST_CASE("--with joins the files in either order, and says so in JSON") {
    const CopiedPair pair("c-writer");
    const std::string dump = pair.path("jit-4.dump"), recording = pair.path("perf.data");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--with", recording, dump},
                                                      {"--with", dump, recording},
                                                      {"--with", dump, dump, recording},
                                                      {"--with", recording, "--jobs=4", dump},
                                                      {pair.folder().string()}}) {
        const auto [status, text] = pair.check("json", arguments);
        CHECK(status == kClean);
        const Json report = Json::parse(text);
        CHECK(schema_fault(output_schema(), "", report) == "");
        CHECK(report.at("files").size() == 2);
        REQUIRE(report.at("groups").size() >= 1);
        const Json& group = report.at("groups")[0];
        CHECK(group.at("path") == dump);
        CHECK(group.at("with") == recording);
        CHECK(group.at("functions") == 8);
        CHECK(group.at("pid") == 4);
        CHECK(group.at("samples") == 126);
        CHECK(group.at("samples_in_functions") == 126);
    }
}

TEST_CASE("a finding about a pair is in the file of its place, and every output names the other") {
    const CopiedPair pair("c-writer");
    break_clock(pair);
    const std::string dump = pair.path("jit-4.dump"), recording = pair.path("perf.data");
    const std::vector<std::string> arguments = {"--with", recording, dump};
    const auto [status, text] = pair.check("json", arguments);
    CHECK(status == kFindings);
    const Json report = Json::parse(text);
    CHECK(schema_fault(output_schema(), "", report) == "");
    CHECK(report.at("groups")[0].at("samples_in_functions").is_null());
    const Json& file = report.at("files")[1];
    CHECK(file.at("path") == recording);
    const auto& findings = file.at("diagnostics");
    const auto found = std::ranges::find_if(
        findings, [](const Json& one) { return one.at("rule") == "siblings/clock-not-monotonic"; });
    REQUIRE(found != findings.end());
    CHECK(found->at("with") == dump);
    CHECK(found->at("offset") == 0xa0);
    CHECK(found->at("related") == Json::parse(R"([{"offset": 32, "length": 8, "path": ")" + dump + "\"}]"));

    const std::string place = "8 bytes at offset 0xa0, attrs[0].flags; with 8 bytes at 0x20 of " + dump;
    const Json gitlab = Json::parse(pair.check("gitlab", arguments).second);
    const auto entry = std::ranges::find_if(
        gitlab, [](const Json& one) { return one.at("check_name") == "siblings/clock-not-monotonic"; });
    REQUIRE(entry != gitlab.end());
    CHECK(entry->at("location").at("path") == recording);
    CHECK(entry->at("description").get<std::string>().find("(" + place + ")") != text.npos);
    // The one line of each text that is about the finding, without what the format escapes.
    const auto line_about = [&](const char* kind, std::string_view what) {
        const std::string output = pair.check(kind, arguments).second;
        const size_t at = output.find(what);
        REQUIRE_MESSAGE(at != output.npos, kind << ": " << output);
        CHECK_MESSAGE(output.find(what, at + 1) == output.npos, kind);
        const size_t begin = output.rfind('\n', at) + 1;
        return output.substr(begin, output.find('\n', at) - begin);
    };
    const std::string github = line_about("github", "title=siblings/clock-not-monotonic");
    CHECK_MESSAGE(github.starts_with("::error file=" + recording + ","), github);
    CHECK_MESSAGE(github.find("(" + place + ")%0A") != github.npos, github);
    const std::string concise = line_about("concise", "[siblings/clock-not-monotonic]");
    CHECK_MESSAGE(concise.starts_with(recording + ":0xa0+8: error: "), concise);
    CHECK_MESSAGE(concise.find("(with 8 bytes at 0x20 of " + dump + ") [") != concise.npos, concise);
    // Markdown writes punctuation of a place as references: "&#58;".
    std::string row = line_about("markdown", "<br>perf inject refuses this pair");
    for (size_t at = 0; (at = row.find("&#", at)) != row.npos;) {
        const size_t end = row.find(';', at);
        row.replace(at, end + 1 - at, 1, static_cast<char>(std::stoi(row.substr(at + 2, end - at - 2))));
    }
    CHECK_MESSAGE(row.starts_with("| **error** | `" + recording + "` | <code>" + place + "</code> |"), row);
    const std::string text_output = pair.check("text", arguments).second;
    const size_t finding = text_output.find("[siblings/clock-not-monotonic]");
    REQUIRE(finding != text_output.npos);
    const size_t related = text_output.find("related: ", finding);
    REQUIRE(related != text_output.npos);
    CHECK(text_output.substr(related, text_output.find('\n', related) - related) ==
          "related: 8 bytes at 0x20 of " + dump);
    // The text about the pair, where the output has room for it.
    for (const char* kind : {"text", "github", "markdown", "html"})
        CHECK_MESSAGE(pair.check(kind, arguments).second.find("8 functions of pid 4") != text.npos, kind);
    const std::string junit = pair.check("junit", arguments).second;
    CHECK(junit.find("<testcase classname=\"siblings\" name=\"4.2 Times\"/>") != junit.npos);
    // The failure is in the suite of the recording, in the section of the rule, and names the place in the dump.
    const size_t suite = junit.find("<testsuite name=\"" + recording + "\"");
    REQUIRE(suite != junit.npos);
    const size_t section = junit.find("<testcase classname=\"siblings\" name=\"4.1 Joining\">", suite);
    REQUIRE(section != junit.npos);
    const std::string failed = junit.substr(section, junit.find("</testcase>", section) - section);
    CHECK_MESSAGE(failed.find("siblings/clock-not-monotonic") != failed.npos, failed);
    CHECK_MESSAGE(failed.find(place) != failed.npos, failed);
    const Json sarif = Json::parse(pair.check("sarif", arguments).second);
    const Json& results = sarif.at("runs")[0].at("results");
    const auto result = std::ranges::find_if(
        results, [](const Json& one) { return one.at("ruleId") == "siblings/clock-not-monotonic"; });
    REQUIRE(result != results.end());
    const auto uri_of = [](const Json& location) {
        return location.at("physicalLocation").at("artifactLocation").at("uri").get<std::string>();
    };
    CHECK(uri_of(result->at("locations")[0]).ends_with("/perf.data"));
    REQUIRE(result->at("relatedLocations").size() == 1);
    const Json& other = result->at("relatedLocations")[0];
    CHECK(uri_of(other).ends_with("/jit-4.dump"));
    CHECK(other.at("physicalLocation").at("region").at("byteOffset") == 32);
    CHECK(other.at("physicalLocation").at("region").at("byteLength") == 8);
}

TEST_CASE("rules about pairs obey the choices of the user") {
    const CopiedPair pair("c-writer");
    break_clock(pair);
    const std::string dump = pair.path("jit-4.dump"), recording = pair.path("perf.data");
    CHECK(pair.check("concise", {"--with", recording, dump}).first == kFindings);
    CHECK(pair.check("concise", {"--ignore=siblings/", "--with", recording, dump}).first == kClean);
    CHECK(pair.check("concise", {"--select=jitdump/", "--with", recording, dump}).first == kClean);
    CHECK(pair.check("concise", {"--note=siblings/clock-not-monotonic", "--with", recording, dump}).first == kClean);
    CHECK(pair.check("concise", {"--fail-on=never", "--with", recording, dump}).first == kClean);
    CHECK(pair.check("concise", {"--with", pair.path("none"), dump}).first == kUnreadable);
}

TEST_CASE("the first line comes without findings, and says what to do") {
    const CopiedPair pair("c-writer");
    const std::string text = pair.check("text", {"--with", pair.path("perf.data"), pair.path("jit-4.dump")}).second;
    CHECK(text.starts_with(pair.path("jit-4.dump") + " with"));
    CHECK(text.find("8 functions of pid 4") != text.npos);
    CHECK(text.find("perf inject -j -i") != text.npos);
}

// A folder of files of several pairs of the corpus, by other names.
struct Copy {
    const char *from, *to;
};
class MixedFolder {
  public:
    explicit MixedFolder(const std::vector<Copy>& copies) {
        for (const auto& [from, to] : copies) fs::copy_file(kReal / from, scratch_.path() / to);
    }
    std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
    // The exit status, and what the files say together: "jit-4.dump with c.data: ...", sorted.
    std::pair<int, std::vector<std::string>> check(const std::vector<std::string>& names) const {
        std::vector<std::string> arguments = {"--no-config", "--output=markdown=" + path("report.md")};
        for (const std::string& one : names) arguments.push_back(one.starts_with("--") ? one : path(one));
        const Parsed parsed = parse_command_line(arguments);
        REQUIRE_MESSAGE(parsed.error.empty(), parsed.error);
        const int status = run_check(std::get<CheckLine>(parsed.command_line));
        std::string text = read_file(path("report.md")).value();
        fs::remove(path("report.md"));
        for (size_t at = 0; (at = text.find(path(""), at)) != text.npos;) text.erase(at, path("").size());
        std::erase(text, '\\');  // escapes of Markdown
        std::vector<std::string> lines;
        // Above them are lists of others.
        size_t at = std::min(text.find("Files that belong together:"), text.size());
        for (; (at = text.find("\n- ", at)) != text.npos; ++at)
            lines.push_back(text.substr(at + 3, text.find('\n', at + 1) - at - 3));
        std::ranges::sort(lines);
        return {status, lines};
    }

  private:
    ScratchFolder scratch_;
};

using Lines = std::vector<std::string>;

TEST_CASE("of several recordings with the pid of a dump or map, that of its run counts") {
    const std::string inject =
        "run `perf inject -j -i c.data -o c.jit.data`, which reads the dump as /tmp/run/jit-4.dump";
    const MixedFolder folder({{"c-writer/perf.data", "c.data"},
                              {"mono-6.8/perf.data", "mono.data"},
                              {"node-20-map/perf.data", "node.data"},
                              {"php-8.2/perf.data", "php.data"},
                              {"c-writer/jit-4.dump", "jit-4.dump"},
                              {"node-20-map/perf-4.map", "perf-4.map"}});
    const auto [status, lines] = folder.check({""});
    CHECK(status == kClean);
    CHECK(lines ==
          Lines{"jit-4.dump with c.data: 8 functions of pid 4, which has 126 samples, 126 of them in these "
                "functions (100 %); " +
                    inject,
                "perf-4.map with node.data: 142 functions of pid 4, which has 49 samples, 28 of them in these "
                "functions (57 %); keep the map as /tmp/perf-4.map, where `perf report -i node.data` reads it"});

    const MixedFolder both({{"c-writer/perf.data", "c.data"},
                            {"c-writer-injected/perf.data", "x.jit.data"},
                            {"c-writer-injected/jit-4.dump", "jit-4.dump"}});
    CHECK(both.check({""}).second.size() == 1);  // another run's recording
}

TEST_CASE("files of a folder are paired by what is in their containers of compressed data") {
    const MixedFolder folder({{"c-writer/perf.data", "perf.data.gz"}, {"node-20-map/perf-4.map", "perf-4.map.zst"}});
    // Neither is compressed in fact: only the names decide what to pair.
    CHECK(folder.check({""}).second.size() == 1);
    const MixedFolder dump({{"c-writer/perf.data", "perf.data.zst"}, {"c-writer/jit-4.dump", "jit-4.dump.gz"}});
    const auto [status, lines] = dump.check({""});
    CHECK(status == kClean);
    REQUIRE(lines.size() == 1);
    CHECK(
        lines[0].ends_with("unpack the recording and run `perf inject -j -i perf.data -o perf.jit.data`, which reads "
                           "the dump as /tmp/run/jit-4.dump"));
}

TEST_CASE("a map in a container of compressed data goes by its name") {
    const MixedFolder folder({{"node-20-map/perf.data", "perf.data"},
                              {"node-20-map/perf-4.map", "perf-4.map.gz"},
                              {"node-20-map/perf-4.map", "names.txt"}});
    const auto [status, lines] = folder.check({"--with", "perf.data", "perf-4.map.gz"});
    CHECK(status == kClean);
    REQUIRE(lines.size() == 1);
    CHECK(
        lines[0].starts_with("perf-4.map.gz with perf.data: 142 functions of pid 4, which has 49 samples, 28 of them"));
    CHECK(folder.check({"--with", "perf.data", "names.txt"}).second ==
          Lines{"names.txt with perf.data: 142 functions; its process is unknown: the map is not named "
                "perf-PID.map; name it after the process, as in perf-1234.map"});
}

TEST_CASE("where nothing can be compared, a line says why") {
    const MixedFolder folder({{"c-writer/perf.data", "perf.data"},
                              {"c-writer/jit-4.dump", "jit-4.dump"},
                              {"c-writer-untimed/perf.data", "untimed.data"},
                              {"c-writer-untimed/jit-8.dump", "jit-8.dump"}});
    const auto lines_of = [&](const std::vector<std::string>& names) { return folder.check(names).second; };
    CHECK(lines_of({"--with", "jit-8.dump", "jit-4.dump"}) ==
          Lines{"jit-4.dump: not compared: none of the files is a recording (perf.data)",
                "jit-8.dump: not compared: none of the files is a recording (perf.data)"});
    CHECK(lines_of({"--with", "perf.data", "perf.data"}) ==
          Lines{"perf.data: not compared: none of the files is a jitdump or a perf map"});
    write_file(folder.path("text.txt"), "no trace at all");
    CHECK(lines_of({"--with", "perf.data", "text.txt"}) ==
          Lines{"perf.data: not compared: none of the files is a jitdump or a perf map",
                "text.txt: not compared: it is not a recording (perf.data), jitdump or perf map"});
    write_file(folder.path("cut.dump"), read_file(kReal / "c-writer" / "jit-4.dump").value().substr(0, 30));
    CHECK(lines_of({"--with", "perf.data", "cut.dump"}) ==
          Lines{"cut.dump: not compared: the header of the dump cannot be read",
                "perf.data: not compared: no other file belongs to it"});
    // perf writes such a header first, and the whole one at the end.
    write_file(folder.path("unfinished.data"),
               read_file(kReal / "c-writer" / "perf.data").value().replace(16, 88, 88, '\0'));
    const Lines unfinished = {
        "jit-4.dump with unfinished.data: not compared: the header of the recording cannot be read"};
    CHECK(lines_of({"--with", "unfinished.data", "jit-4.dump"}) == unfinished);
    for (const char* name : {"perf.data", "untimed.data", "jit-8.dump", "cut.dump", "text.txt"})
        fs::remove(folder.path(name));
    CHECK(lines_of({""}) == unfinished);
}

TEST_CASE("samples without a time are counted, though not compared") {
    const MixedFolder folder(
        {{"c-writer-untimed/perf.data", "perf.data"}, {"c-writer-untimed/jit-8.dump", "jit-8.dump"}});
    const auto [status, lines] = folder.check({"--with", "perf.data", "jit-8.dump"});
    CHECK(status == kClean);  // a warning
    CHECK(lines ==
          Lines{"jit-8.dump with perf.data: 8 functions of pid 8, which has 115 samples; record again with `perf "
                "record -k mono` and without --no-timestamp"});
}

TEST_CASE("what a limit cut is no total") {
    const MixedFolder folder({{"c-writer/perf.data", "perf.data"}, {"c-writer/jit-4.dump", "jit-4.dump"}});
    for (int memory = 4000; memory < 9000; memory += 200) {
        const Lines lines =
            folder.check({"--max-memory=" + std::to_string(memory), "--with", "perf.data", "jit-4.dump"}).second;
        CHECK(lines.size() == 1);
        for (const std::string& line : lines) {
            CAPTURE(line);
            const bool is_whole = line.find("8 functions of pid 4, which has 126 samples") != line.npos;
            const bool is_least = line.find(": at least ") != line.npos && line.find(", at least ") != line.npos;
            CHECK((is_whole || is_least || line.find("not compared: memory limit") != line.npos));
        }
    }
    const Outcome outcome{CheckOptions{}};
    Pairing pairing{.recording = "perf.data", .functions = 2, .processes = 1, .pid = 7, .samples = 30};
    CHECK(pairing_text({.path = "jit-7.dump", .outcome = outcome}, pairing) ==
          "jit-7.dump with perf.data: 2 functions of pid 7, which has 30 samples");
    pairing.is_least = true;
    CHECK(pairing_text({.path = "jit-7.dump", .outcome = outcome}, pairing) ==
          "jit-7.dump with perf.data: at least 2 functions of pid 7, which has at least 30 samples");
}

TEST_CASE("files of a folder with other names are not paired") {
    const CopiedPair pair("c-writer");
    break_clock(pair);
    fs::rename(pair.path("perf.data"), pair.path("recording"));
    const auto [status, text] = pair.check("json", {pair.folder().string()});
    CHECK(status == kClean);
    CHECK(!Json::parse(text).contains("groups"));
}

// The paths of the files in the report, in order, but for maps that processes of this machine may have written.
std::vector<std::string> files_in(const std::string& report) {
    std::vector<std::string> paths;
    const Json all = Json::parse(report);
    for (const Json& file : all.at("files"))
        if (const std::string path = file.at("path"); !path.starts_with("/tmp/perf-")) paths.push_back(path);
    return paths;
}

TEST_CASE("the dump or map of a recording is found beside it, and checked with it") {
    const CopiedPair pair("c-writer");
    const std::string dump = pair.path("jit-4.dump"), recording = pair.path("perf.data");
    const auto found = [&](std::vector<std::string> arguments) {
        arguments.push_back(recording);
        return files_in(pair.check("json", std::move(arguments)).second);
    };
    CHECK(found({}) == std::vector{recording, dump});
    CHECK(found({"--no-pair"}) == std::vector{recording});
    CHECK(found({"--for", "perf"}) == std::vector{recording});
    const Json report = Json::parse(pair.check("json", {recording}).second);
    REQUIRE(!report.at("groups").empty());
    CHECK(report.at("groups")[0].at("samples_in_functions") == 126);
    CHECK(report.at("groups")[0].at("path") == dump);
    const std::string text = pair.check("text", {"--summary", recording}).second;
    CHECK(text.find("--no-pair turns this off") != text.npos);

    fs::rename(dump, pair.folder() / "jit-5.dump");  // not the expected name
    CHECK(found({}) == std::vector{recording});
    fs::rename(pair.folder() / "jit-5.dump", dump);
    pair.set("jit-4.dump", 20, "\7");  // of another process
    CHECK(found({}) == std::vector{recording});
    CHECK(pair.check("text", {recording}).second.find("jit-4.dump:") == std::string::npos);
}

TEST_CASE("what is no dump or map is not shown, and no link is followed") {
    const CopiedPair pair("mono-6.8");
    const fs::path map = pair.path("perf-4.map");
    const std::string recording = pair.path("perf.data");
    const auto found = [&] { return files_in(pair.check("json", {recording}).second); };
    CHECK(found() == std::vector{recording, map.string()});
    const std::string names = read_file(map).value();
    fs::rename(map, pair.folder() / "elsewhere");
    fs::create_symlink(pair.folder() / "elsewhere", map);
    CHECK(found() == std::vector{recording});
    fs::remove(map);
    fs::create_directory(map);
    CHECK(found() == std::vector{recording});
    fs::remove(map);
    write_file(map, "user = somebody\npassword = secret\n");
    CHECK(found() == std::vector{recording});
    CHECK(pair.check("text", {recording}).second.find("secret") == std::string::npos);
    write_file(map, names);
    CHECK(found() == std::vector{recording, map.string()});
}

TEST_CASE("nothing is found for a pipe, a manifest or a file of a folder beyond what the folder holds") {
    const Workplace run;
    fs::create_directory(run / "pair");
    for (const char* name : {"perf.data", "jit-4.dump"}) fs::copy(kReal / "c-writer" / name, run / "pair" / name);
    write(run / "list", "pair/perf.data\n");
    CHECK(has(run("--summary --files-from list").out, "pair/jit-4.dump: "));
    CHECK_FALSE(has(run("--summary --manifest list").out, "jit-4.dump: "));
    CHECK_FALSE(has(run.shell("cd pair && cat perf.data | \"$T\" --summary -").out, "jit-4.dump: "));
    fs::create_directory(run / "alone");
    fs::rename(run / "pair" / "perf.data", run / "alone" / "perf.data");
    CHECK_FALSE(has(run("--summary alone").out, "jit-4.dump: "));
}

TEST_CASE("of a folder beside --with, what pairs is reported, and nothing else") {
    const CopiedPair pair("c-writer"), other("mono-6.8");
    const std::string folder = pair.folder().string(), recording = pair.path("perf.data");
    write_file(pair.folder() / "stranger.dump", "nothing of ours");
    write_file(pair.folder() / "notes.txt", "nothing of ours");
    fs::create_directory(pair.folder() / "below");
    fs::copy(pair.path("jit-4.dump"), pair.folder() / "below" / "jit-4.dump");
    CHECK(files_in(pair.check("json", {"--with", folder, recording}).second) ==
          std::vector{recording, pair.path("jit-4.dump")});
    // The clocks of the two runs differ, but their processes have the same number.
    const std::vector<std::string> of_other =
        files_in(pair.check("json", {"--with", folder, other.path("perf-4.map")}).second);
    CHECK(of_other.front() == other.path("perf-4.map"));
    CHECK(std::ranges::find(of_other, pair.path("stranger.dump")) == of_other.end());
}

TEST_CASE("--with without an input says what to type") {
    const Parsed parsed = parse_command_line({"--no-config", "--with", "perf.data"});
    CHECK(parsed.error.find("tracelint --with perf.data FILE") != std::string::npos);
}

TEST_CASE("the first line says what a recording shows") {
    const auto first_line = [](const std::string& name) {
        const CopiedPair pair(name);
        const std::string text = pair.check("text", {"--summary", "--no-pair", pair.path("perf.data")}).second;
        return text.substr(pair.path("perf.data").size(), text.find('\n') - pair.path("perf.data").size());
    };
    CHECK(first_line("c-writer") ==
          ": 126 samples of 1 process, on CLOCK_MONOTONIC; process 4 (writer): 126 of 126 samples (100 %) in generated "
          "code; not injected; the dump is /tmp/run/jit-4.dump");
    CHECK(first_line("c-writer-injected") ==
          ": 33 samples of 1 process, on CLOCK_MONOTONIC; process 4 (writer): perf inject has added 8 images");
    CHECK(first_line("mono-6.8") ==
          ": 30 samples of 1 process, on CLOCK_MONOTONIC; process 4 (mono): 29 of 30 samples (97 %) in generated code; "
          "no dump is mapped: names can only come from /tmp/perf-4.map");
}

TEST_CASE("what a recording shows is in the outputs for people, and is left out for other files") {
    const CopiedPair pair("mono-6.8");
    const std::string shown = "process 4 (mono): 29 of 30 samples (97 %) in generated code;";
    const auto written = [&](const char* kind, const char* name) {
        return pair.check(kind, {"--no-pair", pair.path(name)}).second;
    };
    CHECK(written("text", "perf.data").find(shown) != std::string::npos);
    CHECK(
        written("html", "perf.data").find("\"recording\":\"" + pair.path("perf.data") + ": 30 samples of 1 process") !=
        std::string::npos);
    CHECK(written("html", "perf-4.map").find("\"recording\":\"\"") != std::string::npos);
    const std::string markdown = written("markdown", "perf.data");
    CHECK(markdown.find("\nRecordings:\n\n- ") != std::string::npos);
    CHECK(markdown.find("29 of 30 samples (97 %) in generated code") != std::string::npos);
    CHECK(written("markdown", "perf-4.map").find("Recordings:") == std::string::npos);
}

}  // namespace
}  // namespace tracelint
