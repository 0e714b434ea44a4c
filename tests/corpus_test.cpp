// Recorded files and former crashes: real producers' files give exactly the findings listed beside them,
// and nothing that once brought the validator down does so again.
#include <doctest/doctest.h>

#include "fuzz/chunked_source.hpp"
#include "tests/corpus.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kListExtension = ".findings";

bool is_text(const std::filesystem::path& path) {
    return path.extension() == kListExtension || path.filename() == "README" || path.extension() == ".md";
}

std::filesystem::path list_beside(const std::filesystem::path& path) {
    return path.string() + std::string(kListExtension);
}

// "SEVERITY RULE COUNT" for each rule that fired, by rule.
std::string findings(const std::filesystem::path& path, Chunking chunking) {
    const std::string bytes = read_file(path).value_or("");
    ChunkedSource source(as_bytes(bytes), std::move(chunking));
    CheckOptions options;
    options.file_name = path.filename();
    const Outcome outcome = check(source, options);
    std::string list;
    for (const auto& [rule, count] : outcome.report().counts())
        list += std::string(to_string(find_rule(rule)->severity)) + ' ' + std::string(rule) + ' ' +
                std::to_string(count) + '\n';
    return list;
}

}  // namespace

TEST_CASE("real files have exactly the findings that are listed beside them") {
    for (const Format* format : formats()) {
        for (const auto& path : corpus_files(*format, "real")) {
            if (is_text(path)) continue;
            const std::string found = findings(path, {});
            if (is_blessing()) write_file(list_beside(path), found);
            const std::optional<std::string> listed = read_file(list_beside(path));
            const std::string fault = listed ? " should be\n" : " is missing; it should be\n";
            CHECK_MESSAGE((listed == found), shown(list_beside(path)) << fault << found);
        }
    }
}

TEST_CASE("real files give the same findings in pieces that cannot be sought") {
    for (const Format* format : formats())
        for (const auto& path : corpus_files(*format, "real"))
            if (!is_text(path))
                CHECK_MESSAGE((findings(path, {}) == findings(path, {.seed = 7, .seekable = false})), shown(path));
}

TEST_CASE("every list of findings stands beside its file") {
    for (const Format* format : formats())
        for (const auto& path : corpus_files(*format, "real"))
            if (path.extension() == kListExtension)
                CHECK_MESSAGE(std::filesystem::exists(path.parent_path() / path.stem()), shown(path));
}

TEST_CASE("former crashes are validated, whole and in pieces, with one verdict") {
    for (const Format* format : formats()) {
        for (const auto& path : corpus_files(*format, "crashes")) {
            if (is_text(path)) continue;
            const std::string whole = findings(path, {});
            CHECK_MESSAGE((findings(path, {.sizes = {1}, .seekable = false}) == whole), shown(path));
            CHECK_MESSAGE((findings(path, {.sizes = {7, 4096}}) == whole), shown(path));
        }
    }
}

}  // namespace tracelint
