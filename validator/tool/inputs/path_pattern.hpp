// Patterns for the paths of files: those of --exclude, of the overrides of a configuration, and of baselines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "validator/tool/inputs/glob.hpp"

namespace tracelint {

// A path as patterns see it: relative to their base if it is below it, or else absolute.
struct ComparedPath {
    std::string text;
    std::string whole;  // absolute
    bool is_below = true;
};

// The folder that patterns are relative to.
class PathBase {
  public:
    // An absolute folder; empty: the root.
    explicit PathBase(std::string folder);

    // `path` as the user names it: relative to the working directory, or absolute.
    ComparedPath compared(const std::string& path) const;
    // Ends in a slash.
    const std::string& folder() const { return folder_; }

  private:
    std::string folder_;          // ends in a slash
    std::string working_folder_;  // absolute; empty if it was removed
};

// A pattern may begin with "./" or "../", or be absolute. Slashes at its end say that it is for a folder. So may any
// pattern be whose last part has no wildcard; it then also matches everything in the folder.
class PathPattern {
  public:
    // What one without a slash is compared with: names, or whole paths.
    enum class Bare : uint8_t { names, paths };

    // What is wrong with the pattern; empty if nothing is.
    static std::string fault_of(std::string_view pattern);

    // `pattern` has no fault. `base`: as in PathBase.
    PathPattern(std::string_view pattern, std::string_view base, Bare bare);

    bool matches(const ComparedPath& path) const { return is_for(path, may_be_folder_); }
    // Whether it matches the path, or a folder that the path leads through, whatever the pattern.
    bool matches_path_or_folder(const ComparedPath& path) const { return is_for(path, true); }

    // As the user wrote it.
    const std::string& pattern() const { return pattern_; }
    // Whether it is compared with names, not paths; or else with absolute ones.
    bool is_for_names() const { return is_name_; }
    bool is_absolute() const { return glob_.pattern().starts_with('/'); }
    // The pattern that is compared.
    const Glob& glob() const { return glob_; }
    // The folder below which lies all that it matches: the parts before the first wildcard. Relative to the base, or
    // absolute.
    std::string common_folder() const;

  private:
    bool is_for(const ComparedPath& path, bool may_be_folder) const;

    std::string pattern_;
    Glob glob_;
    bool is_name_;
    bool may_be_folder_;
};

}  // namespace tracelint
