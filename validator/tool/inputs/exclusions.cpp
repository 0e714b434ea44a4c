// Compares paths with the patterns of --exclude.
#include "validator/tool/inputs/exclusions.hpp"

#include "validator/tool/inputs/usage_error.hpp"

namespace tracelint {
namespace {

std::string or_working_folder(std::string base) { return base.empty() ? working_folder() : std::move(base); }

std::vector<PathPattern> patterns_of(const std::string& base, const std::vector<std::string>& patterns) {
    std::vector<PathPattern> all;
    for (const std::string& pattern : patterns)
        all.emplace_back(pattern, or_working_folder(base), PathPattern::Bare::names);
    return all;
}

}  // namespace

Exclusions::Exclusions(std::string base, const std::vector<std::string>& patterns)
    : base_(or_working_folder(base)),
      patterns_(patterns_of(base, patterns)),
      names_(set_of(true, false)),
      relative_(set_of(false, false)),
      absolute_(set_of(false, true)) {}

GlobSet Exclusions::set_of(bool is_for_names, bool is_absolute) const {
    std::vector<const Glob*> globs;
    for (const PathPattern& pattern : patterns_)
        if (pattern.is_for_names() == is_for_names && (is_for_names || pattern.is_absolute() == is_absolute))
            globs.push_back(&pattern.glob());
    return GlobSet(globs);
}

// The folder in which absolute paths begin, or relative ones, where there is no working directory.
Exclusions::Folder Exclusions::root(bool is_absolute) const {
    Folder root{relative_.start(), absolute_.start()};
    if (!is_absolute) return root;
    root.shared = 1;
    root.is_below = root.shared == base_.folder().size();
    root.is_matched = !root.is_below && relative_.is_any_matched(root.relative);
    if (!root.is_below) relative_.advance(root.relative, "/", steps_);
    root.is_matched_absolutely = absolute_.is_any_matched(root.absolute);
    absolute_.advance(root.absolute, "/", steps_);
    return root;
}

Exclusions::Folder Exclusions::enter(const Folder& folder, std::string_view name) const {
    Folder entered = folder;
    const std::string_view rest = std::string_view(base_.folder()).substr(folder.shared);
    const bool leads_to_base =
        folder.shared != 0 && rest.size() > name.size() && rest.starts_with(name) && rest[name.size()] == '/';
    entered.shared = leads_to_base ? folder.shared + name.size() + 1 : 0;
    absolute_.advance(entered.absolute, name, steps_);
    entered.is_matched_absolutely |= absolute_.is_any_matched(entered.absolute);
    absolute_.advance(entered.absolute, "/", steps_);
    if (entered.shared == base_.folder().size()) {  // the paths of what is in it begin here
        entered.is_below = true;
        entered.is_matched = false;
        entered.relative = relative_.start();
        return entered;
    }
    relative_.advance(entered.relative, name, steps_);
    entered.is_matched |= relative_.is_any_matched(entered.relative) || (folder.is_below && matches_name(name));
    relative_.advance(entered.relative, "/", steps_);
    return entered;
}

// Patterns are not compared with the names of the folders above the base.
bool Exclusions::covers(const Folder& folder, std::string_view name) const {
    if (folder.is_excluded() || matches_name(name)) return true;
    GlobSet::State relative = folder.relative, absolute = folder.absolute;
    relative_.advance(relative, name, steps_);
    absolute_.advance(absolute, name, steps_);
    return relative_.is_any_matched(relative) || absolute_.is_any_matched(absolute);
}

bool Exclusions::matches_name(std::string_view name) const {
    GlobSet::State state = names_.start();
    names_.advance(state, name, steps_);
    return names_.is_any_matched(state);
}

Exclusions::Folder Exclusions::folder_above(std::string_view& path) const {
    const bool is_absolute = path.starts_with('/');
    Folder folder = root(is_absolute);
    if (is_absolute) path.remove_prefix(1);
    for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/')) {
        folder = enter(folder, path.substr(0, slash));
        path.remove_prefix(slash + 1);
    }
    return folder;
}

bool Exclusions::covers(const std::string& path) const {
    if (empty() || path == "-") return false;
    const std::string whole = base_.compared(path).whole;
    std::string_view name = whole;
    const Folder folder = folder_above(name);
    return covers(folder, name);
}

Exclusions::Folder Exclusions::folder(const std::string& path) const {
    const std::string whole = base_.compared(path).whole;
    std::string_view name = whole;
    const Folder above = folder_above(name);
    return name.empty() ? above : enter(above, name);  // it may end in a slash
}

}  // namespace tracelint
