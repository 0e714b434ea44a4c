// --with, and folders whose files belong together: what the outputs say, and the exit status.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/corpus.hpp"
#include "tests/schema.hpp"
#include "tests/scratch_folder.hpp"
#include "validator/tool/command_line.hpp"
#include "validator/tool/commands.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
        const int status = run_check(parsed.command_line);
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
        const json report = json::parse(text);
        CHECK(schema_fault(output_schema(), "", report) == "");
        CHECK(report.at("files").size() == 2);
        REQUIRE(report.at("groups").size() >= 1);
        const json& group = report.at("groups")[0];
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
    const json report = json::parse(text);
    CHECK(schema_fault(output_schema(), "", report) == "");
    CHECK(report.at("groups")[0].at("samples_in_functions").is_null());
    const json& file = report.at("files")[1];
    CHECK(file.at("path") == recording);
    const auto& findings = file.at("diagnostics");
    const auto found = std::ranges::find_if(
        findings, [](const json& one) { return one.at("rule") == "siblings/clock-not-monotonic"; });
    REQUIRE(found != findings.end());
    CHECK(found->at("with") == dump);
    CHECK(found->at("offset") == 0xa0);
    CHECK(found->at("related") == json::parse(R"([{"offset": 32, "length": 8, "path": ")" + dump + "\"}]"));

    for (const char* kind : {"text", "concise", "ndjson", "sarif", "github", "gitlab", "junit", "markdown", "html"}) {
        CAPTURE(kind);
        const std::string output = pair.check(kind, arguments).second;
        const size_t at = output.find("siblings/clock-not-monotonic");
        CHECK(at != output.npos);
        // Other findings name no dump, and the path of the dump's own section ends otherwise.
        CHECK(output.find("jit-4.dump") != output.npos);
    }
    // What the two say together, where the output has room for it.
    for (const char* kind : {"text", "github", "markdown", "html"})
        CHECK_MESSAGE(pair.check(kind, arguments).second.find("8 functions of pid 4") != text.npos, kind);
    const std::string junit = pair.check("junit", arguments).second;
    CHECK(junit.find("<testcase classname=\"siblings\" name=\"4.2 Times\"/>") != junit.npos);
    const json sarif = json::parse(pair.check("sarif", arguments).second);
    for (const json& result : sarif.at("runs")[0].at("results"))
        if (result.at("ruleId") == "siblings/clock-not-monotonic")
            CHECK(result.at("relatedLocations")[0]
                      .at("physicalLocation")
                      .at("artifactLocation")
                      .at("uri")
                      .get<std::string>()
                      .ends_with("jit-4.dump"));
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

TEST_CASE("files of a folder that do not go by such names are left alone") {
    const CopiedPair pair("c-writer");
    break_clock(pair);
    fs::rename(pair.path("perf.data"), pair.path("recording"));
    const auto [status, text] = pair.check("json", {pair.folder().string()});
    CHECK(status == kClean);
    CHECK(!json::parse(text).contains("groups"));
}

}  // namespace
}  // namespace tracelint
