// The corpus, for tests.
#pragma once

#include <cstdlib>

#include "fuzz/corpus_folder.hpp"

namespace tracelint {

inline const std::filesystem::path kRoot = TRACELINT_ROOT;

// Whether reference files are to be rewritten instead of compared.
inline bool is_blessing() {
    const char* wish = std::getenv("TRACELINT_BLESS");
    return wish != nullptr && std::string_view(wish) == "1";
}

inline void write_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// The files of corpus/<grammar>/<kind> for each grammar of the format, by name, all or those of one extension.
inline std::vector<std::filesystem::path> corpus_files(const Format& format, std::string_view kind,
                                                       std::string_view extension = {}) {
    return CorpusFolder(kRoot).files(format, kind, extension);
}

// How a file is named in messages.
inline std::string shown(const std::filesystem::path& path) { return CorpusFolder(kRoot).shown(path); }

inline std::vector<CaseFile> corpus_cases(const Format& format, Errors& errors) {
    return CorpusFolder(kRoot).cases(format, errors);
}

}  // namespace tracelint
