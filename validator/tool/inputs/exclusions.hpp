// The inputs that --exclude leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/inputs/glob_set.hpp"
#include "validator/tool/inputs/path_pattern.hpp"

namespace tracelint {

// A pattern without a slash is compared with the name of a file or folder, any other one with its path relative to the
// base. Everything in an excluded folder is also excluded.
class Exclusions {
  public:
    // The state of the patterns after the path of a folder: entries of the folder are compared only by their name,
    // however deep it is.
    struct Folder {
        GlobSet::State relative, absolute;  // after the folder's path and a slash
        size_t shared = 0;                  // bytes of the base's path that lead here; 0: another path leads here
        bool is_below = false;              // in the base, or in a folder below
        // Whether the folder, or one above, is excluded: by a pattern that is compared with absolute paths, or else.
        bool is_matched_absolutely = false, is_matched = false;

        bool is_excluded() const { return is_matched_absolutely || is_matched; }
    };

    // `base`: an absolute folder; empty: the working directory.
    Exclusions(std::string base, const std::vector<std::string>& patterns);

    bool empty() const { return patterns_.empty(); }
    // `path` as the user names it: relative to the working directory, or absolute.
    bool covers(const std::string& path) const;

    // A folder that the user names, whether it is excluded or not.
    Folder folder(const std::string& path) const;
    // Whether a file or folder in `folder` is excluded.
    bool covers(const Folder& folder, std::string_view name) const;
    // The folder `name` in `folder`.
    Folder enter(const Folder& folder, std::string_view name) const;

    // What all comparisons took, in steps of 64 bits of patterns for each byte.
    uint64_t steps() const { return steps_; }

  private:
    bool matches_name(std::string_view name) const;
    GlobSet set_of(bool is_for_names, bool is_absolute) const;
    Folder root(bool is_absolute) const;
    // The folder of a path in normal form, and what is left of it: the last name.
    Folder folder_above(std::string_view& path) const;

    PathBase base_;
    std::vector<PathPattern> patterns_;
    GlobSet names_, relative_, absolute_;
    mutable uint64_t steps_ = 0;
};

}  // namespace tracelint
