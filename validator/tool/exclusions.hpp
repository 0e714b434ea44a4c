// The inputs that --exclude leaves out.
#pragma once

#include <string>
#include <vector>

#include "validator/tool/path_pattern.hpp"

namespace tracelint {

// A pattern without a slash is compared with the name of a file or folder, any other one with its path relative to the
// base. What lies in an excluded folder is excluded, too.
class Exclusions {
  public:
    // `base`: an absolute folder; empty: the working directory.
    Exclusions(std::string base, const std::vector<std::string>& patterns);

    bool empty() const { return patterns_.empty(); }
    // `path` as the user names it: relative to the working directory, or absolute.
    bool covers(const std::string& path) const;

  private:
    PathBase base_;
    std::vector<PathPattern> patterns_;
};

}  // namespace tracelint
