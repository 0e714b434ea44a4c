// Counts what is skipped in folders.
#include "validator/tool/run/folder_complaints.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/input/input_rules.hpp"
#include "validator/tool/inputs/glob.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kPull = "git lfs pull fetches the files";

bool is_empty(const Outcome& outcome) {
    if (outcome.size != uint64_t{0}) return false;
    return std::ranges::none_of(outcome.report().found_rules(), &Rule::of_container);
}

bool is_pointer(const Outcome& outcome) { return outcome.report().count(kGitLfsPointer) != 0; }

// Whether a file of unknown format should be a trace. If something is expected of every file, an empty or unreadable
// one is an error: its writer wrote nothing, or rubbish. README and .gitkeep files are still skipped.
bool is_expected(const Choices& given, const std::string& path, const Outcome& outcome) {
    const FileDemands demands = choices_for(given, path).demands;
    if (demands.is_named || !demands.is_given) return demands.is_named;
    return (is_empty(outcome) && !is_hidden(path)) || is_pointer(outcome) || is_named_like_trace(path);
}

}  // namespace

bool is_skipped(const Choices& given, const InputFile& input, const std::string& path, const Outcome& outcome) {
    return input.walk && !input.is_named && outcome.failure.empty() && outcome.format == nullptr &&
           !is_expected(given, path, outcome);
}

void FolderComplaints::add_checked(const InputFile& input) {
    if (input.walk) ++folders_[*input.walk].checked;
}

void FolderComplaints::add_skipped(const InputFile& input, const std::string& path, const Outcome& outcome) {
    Folder& folder = folders_[*input.walk];
    ++folder.skipped;
    folder.empty += is_empty(outcome);
    folder.hidden += is_empty(outcome) && is_hidden(path);
    folder.pointers += is_pointer(outcome);
}

// "it contains no files", or what they are.
std::string FolderComplaints::content_of(const Folder& folder, uint64_t excluded) {
    if (folder.skipped == 0) return excluded == 0 ? "it contains no files" : "all its files are excluded";
    std::string kinds;
    const auto add = [&](uint64_t count, std::string_view what) {
        if (count != 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, what);
    };
    add(folder.empty, "empty");
    add(folder.skipped - folder.empty - folder.pointers, "of no known format");
    add(folder.pointers, folder.pointers == 1 ? "Git LFS pointer" : "Git LFS pointers");
    return fmt::format("looked at {}: {}{}{}", counted(folder.skipped, "file"), kinds, folder.pointers == 0 ? "" : "; ",
                       folder.pointers == 0 ? "" : kPull);
}

// What looks like a trace that is not there, though others are; empty if nothing does.
std::string FolderComplaints::unchecked_in(const Folder& folder) {
    std::string text;
    if (const uint64_t empty = folder.empty - folder.hidden; empty != 0) text = counted(empty, "empty file");
    if (folder.pointers != 0) text += (text.empty() ? "" : ", ") + counted(folder.pointers, "Git LFS pointer");
    if (!text.empty()) text += " not checked";
    if (folder.pointers != 0) text += fmt::format("; {}", kPull);
    return text;
}

std::vector<std::string> FolderComplaints::without_traces() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < folders_.size(); ++i)
        if (has_no_traces(i)) names.push_back(inputs_.walks()[i]);
    return names;
}

void FolderComplaints::complain_of_all() const {
    for (size_t i = 0; i < folders_.size(); ++i) {
        const std::string name = printable(inputs_.walks()[i]);
        if (has_no_traces(i))
            complain(fmt::format("no traces found in {}; {}", name, content_of(folders_[i], inputs_.excluded_in(i))));
        else if (const std::string unchecked = unchecked_in(folders_[i]); !unchecked.empty())
            complain(fmt::format("{}: {}", name, unchecked));
    }
}

namespace {

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view without_container(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
    return name;
}

}  // namespace

bool is_named_like_trace(std::string_view path) {
    const std::string_view name = name_of(path), unpacked = without_container(name);
    return std::ranges::any_of(formats(), [&](const Format* format) {
        return std::ranges::any_of(format->file_names, [&](std::string_view pattern) {
            const Glob glob(pattern, Glob::Of::names);
            return glob.matches(name) || glob.matches(unpacked);
        });
    });
}

bool is_hidden(std::string_view path) { return name_of(path).starts_with('.'); }

}  // namespace tracelint
