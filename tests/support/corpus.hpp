// The corpus, for tests.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "fuzz/corpus_folder.hpp"
#include "tests/support/narrowing.hpp"
#include "tests/support/paths.hpp"

namespace tracelint {

inline const std::filesystem::path kRoot = paths::root();

// Whether reference files are rewritten instead of compared.
inline bool is_blessing() {
    const char* value = std::getenv("TRACELINT_BLESS");
    return value != nullptr && std::string_view(value) == "1";
}

inline void write_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// The formats that tests loop over: all, or what the run is narrowed to.
inline std::vector<const Format*> tested_formats() {
    std::vector<const Format*> tested;
    std::ranges::copy_if(formats(), std::back_inserter(tested), [](const Format* one) { return is_tested(*one); });
    return tested;
}

// All of the corpus, or what the run is narrowed to.
inline CorpusFolder tested_corpus() { return CorpusFolder(kRoot, is_tested_file); }

// The files of corpus/<grammar>/<kind> for each grammar of the format, by name, all or those of one extension.
inline std::vector<std::filesystem::path> corpus_files(const Format& format, std::string_view kind,
                                                       std::string_view extension = {}) {
    return tested_corpus().files(format, kind, extension);
}

// The bytes of corpus/FOLDER/base/FILE.
inline std::string base_file(const std::string& folder, const std::string& file) {
    Errors errors;
    const std::string text = read_file(kRoot / "corpus" / folder / "base" / file).value_or("");
    std::string bytes = read_hex(text, file, errors).bytes;
    REQUIRE(errors.empty());
    return bytes;
}

// How a file is named in messages.
inline std::string shown(const std::filesystem::path& path) { return CorpusFolder(kRoot).shown(path); }

inline std::vector<CaseFile> corpus_cases(const Format& format, Errors& errors) {
    return tested_corpus().cases(format, errors);
}

// How to run only the case or pair of a rule. Nothing for the exhibits of the museum, which are one test, and for the
// toy.
inline std::string how_to_repeat(const auto& file) {
    const bool has_name = !file.path.starts_with("corpus/museum/") && std::filesystem::exists(kRoot / file.path);
    return has_name ? "to run it alone: scripts/quick " + file.rule : "";
}

// The first line in which two texts differ.
inline std::string difference(const std::string& a, const std::string& b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto line = 1 + std::count(a.begin(), in_a, '\n');
    const auto rest = [](const std::string& text, auto from) {
        return std::string(from, std::find(from, text.end(), '\n'));
    };
    return "line " + std::to_string(line) + ": '" + rest(a, in_a) + "' and '" + rest(b, in_b) + "'";
}

}  // namespace tracelint
