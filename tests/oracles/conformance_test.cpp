// The conformance corpus as it is exported: two exports are the same, every rule is in it each way, and every line of
// expected.json holds.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/case_check.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t kFewest = 500;

void export_to(const fs::path& folder) {
    const std::string command = "'" + paths::exporter() + "' '" + paths::root() + "' '" + folder.string() + "' >'" +
                                (folder / "log").string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
}

// Relative paths of all files.
std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder));
    std::sort(files.begin(), files.end());
    return files;
}

Json expected_of(const fs::path& folder, const Format& format) {
    return Json::parse(read_file(folder / format.id / "expected.json").value_or(""));
}

// "--as=xray", "--samply-260=tier".
void set_option(CheckOptions& options, const std::string& text) {
    const size_t equals = text.find('=');
    REQUIRE(text.starts_with("--"));
    REQUIRE(equals != std::string::npos);
    const std::string name = text.substr(2, equals - 2), choice = text.substr(equals + 1);
    if (name == "as") {
        options.format = find_format(choice);
        REQUIRE(options.format != nullptr);
        return;
    }
    size_t found = 0;
    for (const Option* option : all_options())
        for (size_t i = 0; i < option->choices.size(); ++i)
            if (option->name == name && option->choices[i] == choice) options.settings.set(*option, i), ++found;
    CHECK(found == 1);
}

Json findings_of(const fs::path& path, const Json& file) {
    CheckOptions options;
    options.file_name = path.filename();
    options.report.kept_per_rule = 0;
    for (const Json& option : file["options"]) set_option(options, option);
    const std::string bytes = read_file(path).value_or("");
    MemorySource source(as_bytes(bytes));
    Json findings = Json::array();
    for (const Expectation& e : expectations_of(check(source, options)))
        findings.push_back({{"rule", e.rule},
                            {"severity", to_string(e.severity)},
                            {"offset", e.offset},
                            {"length", e.length},
                            {"field", e.field.value_or("")}});
    return findings;
}

}  // namespace

TEST_CASE("two exports are the same, byte by byte") {
    const ScratchFolder one, two;
    export_to(one.path());
    export_to(two.path());
    const std::vector<fs::path> files = files_below(one.path());
    CHECK(files == files_below(two.path()));
    for (const fs::path& file : files) {
        CAPTURE(file.string());
        CHECK(fs::file_size(one.path() / file) == fs::file_size(two.path() / file));
        if (fs::file_size(one.path() / file) < (1 << 20))
            CHECK((read_file(one.path() / file) == read_file(two.path() / file)));
    }
}

TEST_CASE("every line of expected.json holds, and every file has one") {
    const ScratchFolder folder;
    export_to(folder.path());
    std::set<fs::path> listed{"README.md", "log"};
    for (const Format* format : formats()) {
        listed.insert(fs::path(format->id) / "expected.json");
        const Json expected = expected_of(folder.path(), *format);
        for (const Json& file : expected["files"]) {
            const std::string name = file["file"];
            CAPTURE(name);
            listed.insert(fs::path(format->id) / name);
            const fs::path path = folder.path() / format->id / name;
            REQUIRE(fs::exists(path));
            if (fs::file_size(path) < (1 << 20)) CHECK(findings_of(path, file) == file["findings"]);
        }
    }
    const std::vector<fs::path> files = files_below(folder.path());
    CHECK(std::set<fs::path>(files.begin(), files.end()) == listed);
}

TEST_CASE("every rule of a format has a violation and a near miss, and a reader knows what it owes each file") {
    const ScratchFolder folder;
    export_to(folder.path());
    std::map<std::string, std::set<std::string>> kinds;
    size_t atomic = 0;
    for (const Format* format : formats()) {
        const Json expected = expected_of(folder.path(), *format);
        for (const Json& file : expected["files"]) {
            std::set<std::string> broken;
            std::string worst = "must accept";
            for (const Json& finding : file["findings"]) {
                if (finding["severity"] == "note") continue;
                broken.insert(finding["rule"]);
                if (finding["severity"] == "error")
                    worst = "must refuse";
                else if (worst != "must refuse")
                    worst = "may accept";
            }
            CHECK_MESSAGE(file["reader"] == worst, std::string(file["file"]));
            if (file["kind"] == "exhibit") continue;
            kinds[file["rule"]].insert(file["kind"]);
            if (broken.size() <= 1) ++atomic;
        }
    }
    CHECK(atomic >= kFewest);
    for (const Format* format : formats())
        for (const Rule* rule : rules_of(*format)) {
            // A limit of tracelint's own is no property of a file.
            if (rule->id.ends_with("/tracking-limit")) continue;
            CHECK_MESSAGE(kinds[std::string(rule->id)].size() == 2, rule->id);
        }
}

}  // namespace tracelint
