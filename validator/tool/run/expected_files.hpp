// The files that the configuration expects a run to have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"

namespace tracelint {

// Counts the files of the overrides that expect something. One that says how many files it is for must be for as many.
// Any other must be for one where a folder was searched: a run on named files may be about others. Where something is
// expected of all files, a folder without a trace is also reported.
class ExpectedFiles {
  public:
    struct Missing {
        std::string pattern;  // or the folder
        uint64_t found = 0, least = 1;
        std::string artifact{};  // the file that says so, or the folder
    };

    // `given` must outlive it.
    explicit ExpectedFiles(const Choices& given);

    // A file was checked. `path`: as messages name it.
    void count(const std::string& path);
    // A folder that was named holds no trace.
    void miss_folder(const std::string& folder);
    // `has_searched`: a folder was named.
    std::vector<Missing> missing(bool has_searched) const;

  private:
    const Choices& given_;
    std::vector<std::pair<const FileOverride*, uint64_t>> overrides_;  // and the files that they are for
    std::vector<Missing> folders_;
};

// A report that says so.
std::unique_ptr<Outcome> outcome_of(const ExpectedFiles::Missing& missing, const CheckLine& line);

}  // namespace tracelint
