// Recorded files and former crashes: real producers' files give exactly the findings listed beside them,
// and nothing that once brought the validator down does so again.
#include <doctest/doctest.h>

#include <map>

#include "fuzz/chunked_source.hpp"
#include "fuzz/containers.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/zstd_skip.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kListExtension = ".findings";

bool is_text(const std::filesystem::path& path) {
    return path.extension() == kListExtension || path.filename() == "README" || path.extension() == ".md";
}

std::filesystem::path list_beside(const std::filesystem::path& path) {
    return path.string() + std::string(kListExtension);
}

// "SEVERITY RULE COUNT" for each rule that fired, by rule and severity; then "statistic NAME NUMBER".
std::string findings(const std::filesystem::path& path, Chunking chunking) {
    const std::string bytes = read_file(path).value_or("");
    ChunkedSource source(as_bytes(bytes), std::move(chunking));
    CheckOptions options;
    options.file_name = path.filename();
    options.report.kept_per_rule = 0;
    const Outcome outcome = check(source, options);
    std::map<std::pair<std::string_view, Severity>, uint64_t> counts;
    for (const Diagnostic& d : outcome.report().diagnostics()) ++counts[{d.rule->id, severity_of(d)}];
    std::string list;
    for (const auto& [finding, count] : counts)
        list += std::string(to_string(finding.second)) + ' ' + std::string(finding.first) + ' ' +
                std::to_string(count) + '\n';
    for (const auto& [name, number] : outcome.context.statistics)
        list += "statistic " + std::string(name) + ' ' + std::to_string(number) + '\n';
    return list;
}

}  // namespace

TEST_CASE("real files have exactly the findings that are listed beside them" * doctest::test_suite(kEachReal)) {
    for (const Format* format : tested_formats()) {
        for (const auto& path : corpus_files(*format, "real")) {
            if (is_text(path) || skips_zstd(read_file(path).value_or(""), shown(path))) continue;
            const std::string found = findings(path, {});
            if (is_blessing()) write_file(list_beside(path), found);
            const std::optional<std::string> listed = read_file(list_beside(path));
            const std::string fault = listed ? " should be\n" : " is missing; it should be\n";
            CHECK_MESSAGE((listed == found), shown(list_beside(path)) << fault << found);
        }
    }
}

TEST_CASE("real files give the same findings in pieces that cannot be sought" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& path : corpus_files(*format, "real"))
            if (!is_text(path))
                CHECK_MESSAGE((findings(path, {}) == findings(path, {.seed = 7, .seekable = false})), shown(path));
}

TEST_CASE("every list of findings is beside its file" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& path : corpus_files(*format, "real"))
            if (path.extension() == kListExtension)
                CHECK_MESSAGE(std::filesystem::exists(path.parent_path() / path.stem()), shown(path));
}

TEST_CASE("where a container is cut, a sound file gets no error of its own" * doctest::test_suite(kEachBase)) {
    for (const Format* format : tested_formats()) {
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            for (const std::string& whole : {gzip_member(bytes), has_zstd() ? zstd_frame(bytes) : ""})
                for (size_t cut = 10; cut < whole.size(); ++cut) {
                    if (!is_sampled(cut, 12)) continue;
                    const std::string part = whole.substr(0, cut);
                    MemorySource source(as_bytes(part));
                    CheckOptions options;
                    options.format = format;
                    const Outcome outcome = check(source, options);
                    for (const Diagnostic& d : outcome.report().diagnostics())
                        CHECK_MESSAGE((severity_of(d) != Severity::error || d.rule->of_container),
                                      shown(path) << ", cut at " << cut << ": " << d.rule->id);
                }
        }
    }
}

TEST_CASE("where reading fails, a sound file gets no error" * doctest::test_suite(kEachBase)) {
    for (const Format* format : tested_formats()) {
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            for (size_t fails_at = 0; fails_at <= bytes.size(); ++fails_at) {
                if (!is_sampled(fails_at, 20)) continue;
                ChunkedSource source(as_bytes(bytes), {.seekable = false, .fails_at = fails_at});
                CheckOptions options;
                options.format = format;
                const Outcome outcome = check(source, options);
                CHECK_FALSE(outcome.failure.empty());
                for (const Diagnostic& d : outcome.report().diagnostics())
                    CHECK_MESSAGE(severity_of(d) != Severity::error,
                                  shown(path) << ", read up to " << fails_at << ": " << d.rule->id);
            }
        }
    }
}

TEST_CASE("former crashes are validated, whole and in pieces, with one verdict" * doctest::test_suite(kEachCrash)) {
    for (const Format* format : tested_formats()) {
        for (const auto& path : corpus_files(*format, "crashes")) {
            if (is_text(path)) continue;
            const std::string whole = findings(path, {});
            CHECK_MESSAGE((findings(path, {.sizes = {1}, .seekable = false}) == whole), shown(path));
            CHECK_MESSAGE((findings(path, {.sizes = {7, 4096}}) == whole), shown(path));
        }
    }
}

}  // namespace tracelint
