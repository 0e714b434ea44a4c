// Compares paths with the patterns of --exclude.
#include "validator/tool/exclusions.hpp"

#include <algorithm>

#include "validator/tool/configuration.hpp"

namespace tracelint {
namespace {

std::string or_working_folder(std::string base) { return base.empty() ? working_folder() : std::move(base); }

}  // namespace

Exclusions::Exclusions(std::string base, const std::vector<std::string>& patterns) : base_(or_working_folder(base)) {
    for (const std::string& pattern : patterns)
        patterns_.emplace_back(pattern, or_working_folder(base), PathPattern::Bare::names);
}

bool Exclusions::covers(const std::string& path) const {
    if (empty() || path == "-") return false;
    const ComparedPath compared = base_.compared(path);
    return std::ranges::any_of(patterns_,
                               [&](const auto& pattern) { return pattern.matches_path_or_folder(compared); });
}

}  // namespace tracelint
