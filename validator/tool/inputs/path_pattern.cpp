// Brings patterns and paths into the form in which they are compared.
#include "validator/tool/inputs/path_pattern.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "validator/tool/inputs/usage_error.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Parts = std::vector<std::string>;

std::string_view without_slashes(std::string_view pattern) {
    while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
    return pattern;
}

Parts parts_of(std::string_view path) {
    Parts parts;
    while (!path.empty()) {
        const size_t slash = std::min(path.find('/'), path.size());
        parts.emplace_back(path.substr(0, slash));
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return parts;
}

std::string joined(const Parts& parts, size_t first) {
    std::string path;
    for (size_t i = first; i < parts.size(); ++i) path.append(i == first ? "" : "/").append(parts[i]);
    return path;
}

// Adds a part. What goes up from a wildcard stays, and matches nothing.
void add_part(Parts& parts, std::string part) {
    if (part.empty() || part == ".") return;
    if (part != ".." || (!parts.empty() && !Glob::literal_of(parts.back())))
        parts.push_back(std::move(part));
    else if (!parts.empty())
        parts.pop_back();
}

// The pattern without . and .., relative to the base if it can be. One for the base itself is for all in it.
std::string normalised(std::string_view pattern, std::string_view base) {
    const Parts folders = parts_of(base.substr(std::min(base.find_first_not_of('/'), base.size())));
    Parts parts;
    if (!pattern.starts_with('/'))
        for (const std::string& folder : folders) parts.push_back(Glob::escaped(folder));
    for (std::string& part : parts_of(pattern)) add_part(parts, std::move(part));
    size_t same = 0;
    while (same < std::min(folders.size(), parts.size()) &&
           (parts[same] == folders[same] || parts[same] == Glob::escaped(folders[same])))
        ++same;
    std::string result = same == folders.size() ? joined(parts, same) : '/' + joined(parts, 0);
    if (result.empty()) return "**";
    // Without its neighbour, a part of a set may mean something else.
    return Glob::fault_of(result).empty() ? result : std::string(pattern);
}

bool is_any_name(const Glob& glob, std::string_view path) {
    while (true) {
        const size_t slash = path.find('/');
        if (glob.matches(path.substr(0, slash))) return true;
        if (slash == path.npos) return false;
        path.remove_prefix(slash + 1);
    }
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

PathBase::PathBase(std::string folder) : folder_(std::move(folder)), working_folder_(working_folder()) {
    if (!folder_.ends_with('/')) folder_ += '/';
}

ComparedPath PathBase::compared(const std::string& path) const {
    if (path == "-") return {path, path, true};
    std::string whole = (fs::path(working_folder_) / path).lexically_normal().string();
    if (!whole.starts_with(folder_)) return {whole, whole, false};
    return {whole.substr(folder_.size()), whole, true};
}

std::string PathPattern::fault_of(std::string_view pattern) { return Glob::fault_of(without_slashes(pattern)); }

PathPattern::PathPattern(std::string_view pattern, std::string_view base, Bare bare)
    : pattern_(pattern),
      glob_(normalised(without_slashes(pattern), base)),
      is_name_(bare == Bare::names && without_slashes(pattern).find('/') == pattern.npos && pattern != "." &&
               pattern != ".."),
      may_be_folder_(pattern.ends_with('/') || Glob::literal_of(last_part(glob_.pattern()))) {}

bool PathPattern::is_for(const ComparedPath& path, bool may_be_folder) const {
    const std::string_view text = is_absolute() ? path.whole : path.text;
    if (!is_name_) return may_be_folder ? glob_.matches_path_or_folder(text) : glob_.matches(text);
    // Patterns are not compared with the names of the folders above the base.
    return may_be_folder && path.is_below ? is_any_name(glob_, text) : glob_.matches(last_part(text));
}

std::string PathPattern::common_folder() const {
    const Parts parts = parts_of(glob_.pattern());
    std::string folder;
    for (const std::string& part : parts) {
        const std::optional<std::string> name = Glob::literal_of(part);
        if (!name) break;
        folder.append(&part == parts.data() ? "" : "/").append(*name);
    }
    // The first part of an absolute path is empty.
    return folder.empty() && is_absolute() ? "/" : folder;
}

}  // namespace tracelint
