// The corpus on disk: its folders, files and parsed cases.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "validator/generator/case_file.hpp"
#include "validator/generator/pair_file.hpp"

namespace tracelint {

inline std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return {};
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

class CorpusFolder {
  public:
    // Whether to include a file, named as in messages.
    using Choice = std::function<bool(std::string_view file)>;

    // `root`: the folder that contains corpus/.
    explicit CorpusFolder(std::filesystem::path root, Choice choice = {})
        : root_(std::move(root)), choice_(std::move(choice)) {}

    // The name of a file in messages.
    std::string shown(const std::filesystem::path& path) const { return path.lexically_relative(root_).string(); }

    // The files of corpus/<folder>, sorted by name, optionally only those with an extension. None if there is no such
    // folder.
    std::vector<std::filesystem::path> files(const std::filesystem::path& folder,
                                             std::string_view extension = {}) const {
        std::vector<std::filesystem::path> files;
        std::error_code missing;
        for (const auto& entry : std::filesystem::directory_iterator(root_ / "corpus" / folder, missing))
            if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension) &&
                (!choice_ || choice_(shown(entry.path()))))
                files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        return files;
    }
    // The files of corpus/<grammar>/<kind> for each grammar of the format.
    std::vector<std::filesystem::path> files(const Format& format, std::string_view kind,
                                             std::string_view extension = {}) const {
        std::vector<std::filesystem::path> all;
        for (const Grammar* grammar : format.grammars) {
            const auto some = files(std::filesystem::path(grammar->id) / kind, extension);
            all.insert(all.end(), some.begin(), some.end());
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    // The files of a run in corpus/siblings/real.
    std::vector<PairMember> pair_members(std::string_view run) const {
        std::vector<PairMember> members;
        for (const auto& path : CorpusFolder(root_).files(std::filesystem::path("siblings") / "real" / run))
            members.push_back({path.filename().string(), read_file(path).value_or("")});
        return members;
    }
    // The cases of rules about files that belong together.
    std::vector<PairFile> pairs(Errors& errors) const { return pairs_of("siblings/pairs", errors); }
    // The museum's exhibits of such files.
    std::vector<PairFile> pair_exhibits(Errors& errors) const { return pairs_of("museum/siblings", errors); }

    // The cases of the format's rules.
    std::vector<CaseFile> cases(const Format& format, Errors& errors) const {
        return cases_of(files(format, "rules", ".case"), errors);
    }
    // The cases of the rules about readers.
    std::vector<CaseFile> reader_cases(const Format& format, Errors& errors) const {
        return cases_of(files(format, "readers", ".case"), errors);
    }
    // The museum's exhibits: faults that shipped in released software.
    std::vector<CaseFile> exhibits(const Format& format, Errors& errors) const {
        std::vector<CaseFile> all;
        for (const Grammar* grammar : format.grammars) {
            std::vector<CaseFile> some =
                cases_of(files(std::filesystem::path("museum") / grammar->id, ".case"), errors);
            std::move(some.begin(), some.end(), std::back_inserter(all));
        }
        return all;
    }

  private:
    std::vector<PairFile> pairs_of(const std::filesystem::path& folder, Errors& errors) const {
        const PairReader real = [&](std::string_view run) { return pair_members(run); };
        std::vector<PairFile> all;
        for (const auto& path : files(folder, ".pair"))
            all.push_back(read_pair(read_file(path).value_or(""), shown(path), real, errors));
        return all;
    }
    std::vector<CaseFile> cases_of(const std::vector<std::filesystem::path>& paths, Errors& errors) const {
        const BaseReader base = [&](std::string_view folder, std::string_view name) {
            return read_file(root_ / "corpus" / folder / "base" / name);
        };
        std::vector<CaseFile> cases;
        for (const auto& path : paths)
            cases.push_back(read_case(read_file(path).value_or(""), shown(path), base, errors));
        // An error in a base file is reported once for each case that uses it.
        std::sort(errors.begin(), errors.end());
        errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
        return cases;
    }

    std::filesystem::path root_;
    Choice choice_;
};

}  // namespace tracelint
