#include "tests/support/corpus.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tracelint {
namespace {

std::string how_to_repeat(const std::string& path, const std::string& rule) {
    const bool has_name = !path.starts_with("corpus/museum/") && std::filesystem::exists(kRoot / path);
    return has_name ? "to run it alone: scripts/quick " + rule : "";
}

}  // namespace

bool is_blessing() {
    const char* value = std::getenv("TRACELINT_BLESS");
    return value != nullptr && std::string_view(value) == "1";
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<const Format*> tested_formats() {
    std::vector<const Format*> tested;
    std::ranges::copy_if(formats(), std::back_inserter(tested), [](const Format* one) { return is_tested(*one); });
    return tested;
}

CorpusFolder tested_corpus() { return CorpusFolder(kRoot, is_tested_file); }

std::vector<std::filesystem::path> corpus_files(const Format& format, std::string_view kind,
                                                std::string_view extension) {
    return tested_corpus().files(format, kind, extension);
}

std::string base_file(const std::string& folder, const std::string& file) {
    Errors errors;
    const std::string text = read_file(kRoot / "corpus" / folder / "base" / file).value_or("");
    std::string bytes = read_hex(text, file, errors).bytes;
    REQUIRE(errors.empty());
    return bytes;
}

std::string shown(const std::filesystem::path& path) { return CorpusFolder(kRoot).shown(path); }

std::vector<CaseFile> corpus_cases(const Format& format, Errors& errors) {
    return tested_corpus().cases(format, errors);
}

std::string how_to_repeat(const CaseFile& file) { return how_to_repeat(file.path, file.rule); }
std::string how_to_repeat(const PairFile& file) { return how_to_repeat(file.path, file.rule); }

std::string difference(const std::string& a, const std::string& b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto line = 1 + std::count(a.begin(), in_a, '\n');
    const auto rest = [](const std::string& text, auto from) {
        return std::string(from, std::find(from, text.end(), '\n'));
    };
    return "line " + std::to_string(line) + ": '" + rest(a, in_a) + "' and '" + rest(b, in_b) + "'";
}

}  // namespace tracelint
