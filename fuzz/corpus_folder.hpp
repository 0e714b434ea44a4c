// The corpus on disk: its folders, files and parsed cases.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/generator/case_file.hpp"
#include "validator/generator/pair_file.hpp"

namespace tracelint {

// The bytes of a file; nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

class CorpusFolder {
  public:
    // Whether to include a file, named as in messages.
    using Choice = std::function<bool(std::string_view file)>;

    // `root`: the folder that contains corpus/.
    explicit CorpusFolder(std::filesystem::path root, Choice choice = {});

    // The name of a file in messages.
    std::string shown(const std::filesystem::path& path) const;

    // The files of corpus/<folder>, sorted by name, optionally only those with an extension. None if there is no such
    // folder.
    std::vector<std::filesystem::path> files(const std::filesystem::path& folder,
                                             std::string_view extension = {}) const;
    // The files of corpus/<grammar>/<kind> for each grammar of the format.
    std::vector<std::filesystem::path> files(const Format& format, std::string_view kind,
                                             std::string_view extension = {}) const;

    // The files of a run in corpus/siblings/real.
    std::vector<PairMember> pair_members(std::string_view run) const;
    // The cases of rules about files that belong together.
    std::vector<PairFile> pairs(Errors& errors) const { return pairs_of("siblings/pairs", errors); }
    // The museum's exhibits of such files.
    std::vector<PairFile> pair_exhibits(Errors& errors) const { return pairs_of("museum/siblings", errors); }

    // The cases of the format's rules.
    std::vector<CaseFile> cases(const Format& format, Errors& errors) const;
    // The cases of the rules about readers.
    std::vector<CaseFile> reader_cases(const Format& format, Errors& errors) const;
    // The museum's exhibits: faults that shipped in released software.
    std::vector<CaseFile> exhibits(const Format& format, Errors& errors) const;

  private:
    std::vector<PairFile> pairs_of(std::string_view folder, Errors& errors) const;
    std::vector<CaseFile> cases_of(const std::vector<std::filesystem::path>& paths, Errors& errors) const;

    std::filesystem::path root_;
    Choice choice_;
};

}  // namespace tracelint
