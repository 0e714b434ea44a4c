// The corpus on disk, for tests: its folders, files and parsed cases.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/case_file.hpp"

namespace tracelint {

inline const std::filesystem::path kRoot = TRACELINT_ROOT;

// Whether reference files are to be rewritten instead of compared.
inline bool is_blessing() {
    const char* wish = std::getenv("TRACELINT_BLESS");
    return wish != nullptr && std::string_view(wish) == "1";
}

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void write_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// The files of corpus/<folder>/<kind>, by name, all or those of one extension; none when the folder is missing.
inline std::vector<std::filesystem::path> corpus_files(const Format& format, std::string_view kind,
                                                       std::string_view extension = {}) {
    std::vector<std::filesystem::path> files;
    for (const Grammar* grammar : format.grammars) {
        std::error_code missing;
        for (const auto& entry : std::filesystem::directory_iterator(kRoot / "corpus" / grammar->id / kind, missing))
            if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension))
                files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// How a file is named in messages.
inline std::string shown(const std::filesystem::path& path) { return path.lexically_relative(kRoot).string(); }

inline std::vector<CaseFile> corpus_cases(const Format& format, Errors& errors) {
    const BaseReader base = [](std::string_view folder, std::string_view name) {
        return read_file(kRoot / "corpus" / folder / "base" / name);
    };
    std::vector<CaseFile> cases;
    for (const auto& path : corpus_files(format, "rules", ".case"))
        cases.push_back(read_case(read_file(path).value_or(""), shown(path), base, errors));
    // A fault of a base file comes once for each case that uses it.
    std::sort(errors.begin(), errors.end());
    errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
    return cases;
}

}  // namespace tracelint
