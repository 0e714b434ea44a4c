// The C interface: lines of parts, and many files by one call.
#include <nlohmann/json.hpp>

#include "tests/tool/bindings/c_interface.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

TEST_CASE("lines are those of the command with a manifest") {
    std::string found;
    const Workplace place;
    std::string listed;
    uint64_t entry = 0;
    for (const std::string& path : real_files()) {
        Held held;
        REQUIRE(tracelint_check_file(path.c_str(), nullptr, &held.report) == TRACELINT_OK);
        ++entry;
        found += ndjson_of(held.report, nullptr, entry, entry % 2 == 0 ? "\"e\"" : nullptr);
        listed += path + (entry % 2 == 0 ? "\t\t\"e\"\t\n" : "\n");
    }
    write(place / "manifest", listed);
    CHECK(place("--manifest manifest --exit-zero --quiet --output ndjson=part").status == 0);
    const std::string written = content_of(place / "part");
    CHECK(written.substr(0, written.rfind("{\"type\":\"summary\"")) == found);

    Held held;
    REQUIRE(tracelint_check_memory("", 0, nullptr, &held.report) == TRACELINT_OK);
    const std::string named = ndjson_of(held.report, "a\xff", 7, nullptr);
    CHECK(named.find("\"entry\":7,\"path\":\"a\\\\xff\"") != std::string::npos);
    CHECK(named.find("\"path_bytes\":\"61ff\"") != std::string::npos);
    CHECK(tracelint_report_lines(held.report, nullptr, 1, nullptr, nullptr, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
}

// Frees its files at the end.
struct HeldFiles {
    ~HeldFiles() { tracelint_files_free(files); }
    tracelint_files_result read() const {
        auto result = sized<tracelint_files_result>();
        REQUIRE(tracelint_files_read(files, &result) == TRACELINT_OK);
        CHECK(std::strlen(result.text) == result.text_length);
        CHECK(std::strlen(result.sums) == result.sums_length);
        return result;
    }
    tracelint_files* files = nullptr;
};

TEST_CASE("many files by one call give the lines of the command with a manifest, however they are divided") {
    const Workplace place;
    std::string listed;
    std::vector<std::string> paths = real_files();
    paths.push_back((place / "absent").string());
    paths.push_back(paths.front().substr(0, paths.front().rfind('/')));  // a folder
    write(place / "a", clean());
    paths.push_back((place / "a").string());
    std::vector<const char*> names, etags;
    std::vector<uint64_t> entries, sizes(paths.size(), TRACELINT_UNKNOWN);
    for (const std::string& path : paths) {
        names.push_back(path.c_str());
        entries.push_back(entries.size() + 1);
        etags.push_back(entries.size() % 2 == 0 ? "\"e\"" : nullptr);
    }
    sizes.back() = 7;
    for (size_t i = 0; i < paths.size(); ++i)
        listed += paths[i] + '\t' + (i + 1 == paths.size() ? "7" : "") + '\t' + (etags[i] == nullptr ? "" : etags[i]) +
                  "\t\n";
    write(place / "manifest", listed);
    CHECK(place("--manifest manifest --exit-zero --quiet --output ndjson=part").status == 3);
    const std::string written = content_of(place / "part");
    for (const uint64_t most_bytes : {uint64_t{0}, uint64_t{1}, uint64_t{10'000}}) {
        std::string found;
        for (size_t at = 0; at < paths.size();) {
            auto list = sized<tracelint_file_list>();
            list.paths = &names[at];
            list.count = paths.size() - at;
            list.entries = &entries[at];
            list.sizes = &sizes[at];
            list.etags = &etags[at];
            list.most_bytes = most_bytes;
            HeldFiles held;
            REQUIRE(tracelint_check_files(&list, nullptr, &held.files) == TRACELINT_OK);
            const tracelint_files_result result = held.read();
            REQUIRE(result.done > 0);
            if (most_bytes == 1) CHECK(result.done == 1);
            if (most_bytes == 0) CHECK(result.done == paths.size());
            at += result.done;
            found += result.text;
        }
        CHECK(written.substr(0, written.rfind("{\"type\":\"summary\"")) == found);
    }
}

TEST_CASE("many files by one call give rows, sums, and those that are large") {
    const Workplace place;
    write(place / "a", cut());
    write(place / "b", clean());
    write(place / "empty", "");
    const std::string paths[] = {(place / "a").string(), (place / "b").string(), (place / "empty").string(),
                                 (place / "absent").string()};
    const char* names[] = {paths[0].c_str(), paths[1].c_str(), paths[2].c_str(), paths[3].c_str()};
    auto list = sized<tracelint_file_list>();
    list.paths = names;
    list.count = std::size(names);
    list.as_rows = 1;
    list.large = clean().size();
    list.most_milliseconds = 60'000;
    HeldFiles held;
    REQUIRE(tracelint_check_files(&list, nullptr, &held.files) == TRACELINT_OK);
    const tracelint_files_result result = held.read();
    CHECK(result.done == 4);
    nlohmann::json rows = nlohmann::json::parse("[" + std::string(result.text) + "]");
    REQUIRE(rows.size() == 3);
    for (nlohmann::json& row : rows) {
        CHECK(row.at(13).get<double>() >= 0);
        row.erase(13);
    }
    CHECK(rows[0] == nlohmann::json::array({1, paths[0], "jitdump", "error", nullptr, 1, 0, 0, rows[0][8], rows[0][9],
                                            rows[0][10], cut().size(), false}));
    CHECK(rows[0][9].get<std::string>().starts_with("jitdump/"));
    CHECK(rows[1][9] == "input/empty");
    CHECK(rows[2] ==
          nlohmann::json::array({4, paths[3], nullptr, "unreadable", "cannot open: No such file or directory", 0, 0, 0,
                                 nullptr, nullptr, nullptr, nullptr, false}));
    const nlohmann::json sums = nlohmann::json::parse(result.sums);
    CHECK(sums.at("bytes") == cut().size());
    CHECK(sums.at("limited") == 0);
    CHECK(sums.at("large") == nlohmann::json::array({{2, clean().size()}}));
    CHECK(sums.at("formats").at("jitdump") == nlohmann::json::array({1, cut().size(), 1, 0, 0, 0, 0}));
    CHECK(sums.at("formats").at("") == nlohmann::json::array({2, 0, 1, 0, 0, 0, 1}));
    CHECK(sums.at("findings")[0] ==
          nlohmann::json::array({"input/empty", "", "error", 1, 1, {{3, json_string(paths[2])}}}));
}

TEST_CASE("many files by one call: what is wrong with the call") {
    auto list = sized<tracelint_file_list>();
    tracelint_files* files = nullptr;
    CHECK(tracelint_check_files(nullptr, nullptr, &files) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_check_files(&list, nullptr, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    list.count = 1;
    CHECK(tracelint_check_files(&list, nullptr, &files) == TRACELINT_ERROR_NULL_ARGUMENT);
    const char* names[] = {nullptr};
    list.paths = names;
    CHECK(tracelint_check_files(&list, nullptr, &files) == TRACELINT_ERROR_NULL_ARGUMENT);
    list.count = 0;
    auto options = sized<tracelint_options>();
    options.format = "nosuch";
    CHECK(tracelint_check_files(&list, &options, &files) == TRACELINT_ERROR_INVALID_OPTION);
    list.size = 3;
    CHECK(tracelint_check_files(&list, nullptr, &files) == TRACELINT_ERROR_STRUCT_SIZE);
    list.size = sizeof list;
    REQUIRE(tracelint_check_files(&list, nullptr, &files) == TRACELINT_OK);
    auto result = sized<tracelint_files_result>();
    CHECK(tracelint_files_read(files, nullptr) == TRACELINT_ERROR_NULL_ARGUMENT);
    CHECK(tracelint_files_read(nullptr, &result) == TRACELINT_ERROR_NULL_ARGUMENT);
    REQUIRE(tracelint_files_read(files, &result) == TRACELINT_OK);
    CHECK(result.done == 0);
    CHECK(std::string(result.text).empty());
    CHECK(tracelint_files_free(files) == TRACELINT_OK);
    CHECK(tracelint_files_free(files) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_files_read(files, &result) == TRACELINT_ERROR_INVALID_HANDLE);
    CHECK(tracelint_files_free(nullptr) == TRACELINT_OK);
}

}  // namespace
}  // namespace tracelint
