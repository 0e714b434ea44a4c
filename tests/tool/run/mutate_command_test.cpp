// `mutate`, `generate` into a folder, and `dictionary`, as a user meets them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/input/zstd_source.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

Json expected_of(const fs::path& folder) {
    const Json expected = Json::parse(content_of(folder / "expected.json"));
    CHECK(schema_fault(expected_schema(), "", expected) == "");
    return expected;
}

// Name and content of each file in a folder.
std::vector<std::pair<std::string, std::string>> files_in(const fs::path& folder) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        files.emplace_back(entry.path().filename().string(), content_of(entry.path()));
    std::sort(files.begin(), files.end());
    return files;
}

TEST_CASE("mutate writes as many files as asked for, the same ones for the same seed") {
    const Workplace run;
    for (const char* words :
         {"mutate xray --count 7 --seed 3 --expected -o a", "mutate xray --count 7 --seed 3 --expected -o b",
          "mutate xray --count 7 --seed 4 --expected -o c"}) {
        const Run made = run(words);
        CHECK(made.status == 0);
        CHECK(made.out.empty());
        CHECK(made.err.empty());
    }
    CHECK(files_in(run / "a").size() == 8);
    CHECK(files_in(run / "a") == files_in(run / "b"));
    CHECK(files_in(run / "a") != files_in(run / "c"));
}

TEST_CASE("--container puts the same traces into a container, where the same is found") {
    const Workplace run;
    const struct {
        std::string_view container, extension, decompress;
    } kContainers[] = {{"gzip", ".gz", "gzip -dc"}, {"zstd", ".zst", "zstd -qdc"}};
    for (const char* words : {"mutate mlpd --count 12", "generate xray --count 5 --size 70000",
                              "mutate jitdump --violate jitdump/move-unknown-code-index --count 3"}) {
        CAPTURE(words);
        REQUIRE(run(std::string(words) + " --expected -o plain").status == 0);
        const Json plain = expected_of(run / "plain");
        for (const auto& [container, extension, decompress] : kContainers) {
            if (container == "zstd" && !has_zstd()) continue;
            CAPTURE(container);
            REQUIRE(run(std::string(words) + " --expected -o packed --container " + std::string(container)).status ==
                    0);
            const Json packed = expected_of(run / "packed");
            REQUIRE(packed["files"].size() == plain["files"].size());
            for (size_t i = 0; i < plain["files"].size(); ++i) {
                const std::string name = plain["files"][i]["file"];
                CHECK(packed["files"][i]["file"] == name + std::string(extension));
                CHECK(packed["files"][i]["findings"] == plain["files"][i]["findings"]);
                const std::string program(decompress.substr(0, decompress.find(' ')));
                if (run.shell("command -v " + program).status != 0) continue;
                const Run unpacked = run.shell(std::string(decompress) + " packed/" + name + std::string(extension) +
                                               " | cmp - plain/" + name);
                CHECK(unpacked.status == 0);
                CHECK(unpacked.err == "");
            }
            fs::remove_all(run / "packed");
        }
        fs::remove_all(run / "plain");
    }
    REQUIRE(run("generate pprof -o plain").status == 0);
    CHECK(run.shell("\"$T\" generate pprof --container gzip | gzip -dc | cmp - plain").status == 0);
    CHECK(run("generate xray --container tar -o x").status == 2);
}

TEST_CASE("--expected lists what a check of each file finds") {
    const Workplace run;
    write(run / "clean", clean());
    REQUIRE(run("mutate clean --count 20 --expected -o mutants").status == 0);
    const Json expected = expected_of(run / "mutants");
    CHECK(expected["format"] == "jitdump");
    REQUIRE(expected["files"].size() == 20);
    unsigned broken = 0;
    for (const Json& file : expected["files"]) {
        CHECK(file["kind"] == "mutant");
        std::string options;
        for (const std::string option : file["options"]) options += option + ' ';
        const Run checked =
            run("--output json --max-per-rule 0 --no-pair " + options + "mutants/" + file["file"].get<std::string>());
        const Json report = Json::parse(checked.out)["files"][0];
        const bool has_error = report["counts"]["error"] != 0;
        CHECK((file["reader"] == "must refuse") == has_error);
        broken += has_error ? 1 : 0;
        std::vector<Json> found;
        for (const Json& one : report["diagnostics"])
            if (one["rule"] != "jitdump/file-name-pid")
                found.push_back({one["rule"], one["severity"], one["offset"], one["length"]});
        std::vector<Json> listed;
        for (const Json& one : file["findings"])
            listed.push_back({one["rule"], one["severity"], one["offset"], one["length"]});
        std::sort(found.begin(), found.end());
        std::sort(listed.begin(), listed.end());
        CHECK(found == listed);
    }
    CHECK(broken >= 5);
}

TEST_CASE("--violate all writes a file for each rule that can be violated, and names the others once") {
    const Workplace run;
    for (const std::string command : {"mutate", "generate"}) {
        const Run made = run(command + " gperftools --violate all --expected -o " + command);
        CHECK(made.status == 0);
        CHECK(lines_of(made.err) == 1);
        const Json expected = expected_of(run / command);
        const std::vector<const Rule*> rules = rules_of(*find_format("gperftools"));
        size_t violated = 0;
        for (const Rule* rule : rules) {
            const auto is_its_own = [&](const Json& file) { return file["rule"] == rule->id; };
            const auto files = std::count_if(expected["files"].begin(), expected["files"].end(), is_its_own);
            CHECK_MESSAGE((files == 1) != has(made.err, rule->id), rule->id);
            violated += static_cast<size_t>(files);
        }
        CHECK(violated == expected["files"].size());
        CHECK(violated > rules.size() / 2);
    }
    CHECK(files_in(run / "mutate") == files_in(run / "generate"));
}

TEST_CASE("generated files have the byte order and version that were asked for") {
    const Workplace run;
    for (const auto& [words, member, value] :
         {std::tuple{"generate mlpd --version 13", "format_version", Json(13)},
          std::tuple{"generate xray --byte-order big --version 3", "byte_order", Json("big")},
          std::tuple{"mutate xray --violate all --byte-order big", "byte_order", Json("big")}}) {
        CAPTURE(words);
        REQUIRE(run(std::string(words) + (has(words, "generate") ? " --count 4" : "") + " -o out").status == 0);
        const Json report = Json::parse(run("--output json --no-pair out").out);
        CHECK(report["files"].size() >= 4);
        size_t as_asked = 0;
        for (const Json& file : report["files"]) as_asked += file[member] == value ? 1 : 0;
        CHECK(as_asked * 10 >= report["files"].size() * (has(words, "generate") ? 10 : 9));
        fs::remove_all(run / "out");
    }
    const Run none = run("generate perfmap --byte-order big");
    CHECK(none.status == 2);
    CHECK(has(none.err, "no generated file of perfmap has this byte order, version and extensions"));
}

TEST_CASE("mutate takes compressed files and standard input, and refuses what it cannot use") {
    const Workplace run;
    write(run / "clean", clean());
    write(run / "text", "no trace\n");
    REQUIRE(run.shell("gzip -nk clean && \"$T\" mutate clean.gz --count 3 -o a && "
                      "\"$T\" mutate - --count 3 -o b <clean")
                .status == 0);
    CHECK(files_in(run / "a") == files_in(run / "b"));
    const struct {
        std::string words;
        int status;
        std::string_view complaint;
    } kRefused[] = {
        {"mutate text -o out", 1, "its format is not recognised"},
        {"mutate clean --violate all -o out", 2, "are for generated files"},
        {"mutate missing -o out", 3, "No such file"},
        {"mutate clean --max-memory 64K -o out", 3, "too large"},
        {"mutate clean", 2, "no folder given"},
        {"mutate clean --byte-order big -o out", 2, "are for generated files"},
        {"mutate clean --extensions no -o out", 2, "are for generated files"},
        {"mutate jitdump --extensions maybe -o out", 2, "--extensions"},
        {"mutate xray --extensions yes -o out", 2, "has this byte order, version and extensions"},
        {"mutate xray --as xray -o out", 2, "--as is for files"},
        {"mutate xray --violate jitdump/bad-magic -o out", 2, "is not a rule of xray"},
        {"mutate xray --count 0 -o out", 2, "is not from 1 to"},
        {"generate xray --count 2", 2, "-o names their folder"},
        {"generate xray --expected -o out", 2, "needs --count"},
        {"mutate xray -o clean", 4, "cannot write"},
    };
    for (const auto& [words, status, complaint] : kRefused) {
        CAPTURE(words);
        const Run refused = run(words);
        CHECK(refused.status == status);
        CHECK(has(refused.err, complaint));
        CHECK(!fs::exists(run / "out"));
    }
}

TEST_CASE("a dictionary has an entry for each value, in the syntax of AFL++ and libFuzzer") {
    const Workplace run;
    const std::regex line("[A-Za-z0-9_]+=\"(\\\\x[0-9a-f]{2}){1,128}\"");
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const Run made = run("dictionary " + std::string(format->id));
        CHECK(made.status == 0);
        std::istringstream text(made.out);
        std::string entry;
        std::getline(text, entry);
        CHECK(entry.starts_with("# "));
        std::vector<std::string> values;
        while (std::getline(text, entry)) {
            CHECK_MESSAGE(std::regex_match(entry, line), entry);
            values.push_back(entry.substr(entry.find('=')));
        }
        CHECK(!values.empty());
        std::sort(values.begin(), values.end());
        CHECK(std::adjacent_find(values.begin(), values.end()) == values.end());
    }
    CHECK(has(run("dictionary jitdump").out, "=\"\\x44\\x54\\x69\\x4a\"\n"));
    CHECK(has(run("dictionary jitdump").out, "=\"\\x4a\\x69\\x54\\x44\"\n"));
    CHECK(has(run("dictionary nettrace").out, "=\"\\x4e\\x65\\x74\\x74\\x72\\x61\\x63\\x65\"\n"));
}

}  // namespace
}  // namespace tracelint
