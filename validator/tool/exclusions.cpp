// Compares paths with the patterns of --exclude.
#include "validator/tool/exclusions.hpp"

#include <algorithm>
#include <filesystem>

namespace tracelint {
namespace {

namespace fs = std::filesystem;

std::string_view without_slashes(std::string_view pattern) {
    while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
    return pattern;
}

bool matches_a_name(const Glob& glob, std::string_view path) {
    while (true) {
        const size_t slash = path.find('/');
        if (glob.matches(path.substr(0, slash))) return true;
        if (slash == path.npos) return false;
        path.remove_prefix(slash + 1);
    }
}

}  // namespace

std::string Exclusions::fault_of(std::string_view pattern) { return Glob::fault_of(without_slashes(pattern)); }

Exclusions::Exclusions(std::string base, const std::vector<std::string>& patterns) : base_(std::move(base)) {
    std::error_code failed;
    working_folder_ = fs::current_path(failed).string();  // empty if it was removed
    if (base_.empty()) base_ = working_folder_;
    if (!base_.ends_with('/')) base_ += '/';
    for (const std::string& pattern : patterns) globs_.emplace_back(without_slashes(pattern));
}

bool Exclusions::covers(const std::string& path) const {
    if (empty() || path == "-") return false;
    const std::string whole = (fs::path(working_folder_) / path).lexically_normal().string();
    const bool is_below = whole.starts_with(base_);
    const std::string_view compared = std::string_view(whole).substr(is_below ? base_.size() : 0);
    // Outside of the base, the names of the folders above are none of the user's patterns' business.
    const std::string_view names = is_below ? compared : compared.substr(compared.rfind('/') + 1);
    return std::ranges::any_of(globs_, [&](const Glob& glob) {
        return glob.has_slash() ? glob.matches_path_or_folder(compared) : matches_a_name(glob, names);
    });
}

}  // namespace tracelint
