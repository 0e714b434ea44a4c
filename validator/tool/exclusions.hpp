// The inputs that --exclude leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/glob.hpp"

namespace tracelint {

// A pattern without a slash is compared with the name of a file or folder, any other one with its path relative to the
// base. What lies in an excluded folder is excluded, too. A slash at the end of a pattern means nothing.
class Exclusions {
  public:
    // What is wrong with the pattern; empty if nothing is.
    static std::string fault_of(std::string_view pattern);

    // `base`: an absolute folder.
    Exclusions(std::string base, const std::vector<std::string>& patterns);

    bool empty() const { return globs_.empty(); }
    // `path` as the user names it: relative to the working directory, or absolute.
    bool covers(const std::string& path) const;

  private:
    std::string base_;            // ends in a slash
    std::string working_folder_;  // absolute
    std::vector<Glob> globs_;
};

}  // namespace tracelint
