#include "fuzz/corpus_folder.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace tracelint {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

CorpusFolder::CorpusFolder(fs::path root, Choice choice) : root_(std::move(root)), choice_(std::move(choice)) {}

std::string CorpusFolder::shown(const fs::path& path) const { return path.lexically_relative(root_).string(); }

std::vector<fs::path> CorpusFolder::files(const fs::path& folder, std::string_view extension) const {
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(root_ / "corpus" / folder, missing))
        if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension) &&
            (!choice_ || choice_(shown(entry.path()))))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<fs::path> CorpusFolder::files(const Format& format, std::string_view kind,
                                          std::string_view extension) const {
    std::vector<fs::path> all;
    for (const Grammar* grammar : format.grammars) {
        const auto some = files(fs::path(grammar->id) / kind, extension);
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<PairMember> CorpusFolder::pair_members(std::string_view run) const {
    std::vector<PairMember> members;
    for (const auto& path : CorpusFolder(root_).files(fs::path("siblings") / "real" / run))
        members.push_back({path.filename().string(), read_file(path).value_or("")});
    return members;
}

std::vector<CaseFile> CorpusFolder::cases(const Format& format, Errors& errors) const {
    return cases_of(files(format, "rules", ".case"), errors);
}

std::vector<CaseFile> CorpusFolder::reader_cases(const Format& format, Errors& errors) const {
    return cases_of(files(format, "readers", ".case"), errors);
}

std::vector<CaseFile> CorpusFolder::exhibits(const Format& format, Errors& errors) const {
    std::vector<CaseFile> all;
    for (const Grammar* grammar : format.grammars) {
        std::vector<CaseFile> some = cases_of(files(fs::path("museum") / grammar->id, ".case"), errors);
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
}

std::vector<PairFile> CorpusFolder::pairs_of(std::string_view folder, Errors& errors) const {
    const PairReader real = [&](std::string_view run) { return pair_members(run); };
    std::vector<PairFile> all;
    for (const auto& path : files(folder, ".pair"))
        all.push_back(read_pair(read_file(path).value_or(""), shown(path), real, errors));
    return all;
}

std::vector<CaseFile> CorpusFolder::cases_of(const std::vector<fs::path>& paths, Errors& errors) const {
    const BaseReader base = [&](std::string_view folder, std::string_view name) {
        return read_file(root_ / "corpus" / folder / "base" / name);
    };
    std::vector<CaseFile> cases;
    for (const auto& path : paths) cases.push_back(read_case(read_file(path).value_or(""), shown(path), base, errors));
    // An error in a base file is reported once for each case that uses it.
    std::sort(errors.begin(), errors.end());
    errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
    return cases;
}

}  // namespace tracelint
