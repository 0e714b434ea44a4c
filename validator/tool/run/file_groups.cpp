// Inputs that are checked together.
#include "validator/tool/run/file_groups.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

// By their names, which say what files of a folder may belong together before any is opened.
// Containers of compressed data go by the name of what is in them.
std::string_view unpacked(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}
bool is_named_like_recording(std::string_view name) { return unpacked(name).ends_with(".data"); }
bool is_named_like_code(std::string_view name) {
    name = unpacked(name);
    return name.ends_with(".dump") || (name.starts_with("perf-") && name.ends_with(".map"));
}

}  // namespace

FileGroups::FileGroups(const CheckLine& line, const Inputs& inputs) : line_(line), inputs_(inputs) {
    if (line.inputs.beside.empty())
        find_in_folders();
    else
        join_all();
}

void FileGroups::join_all() {
    Group& group = start(false);
    for (const InputFile& input : inputs_)
        if (!input.walk || input.is_named || is_named_like_recording(input.name) || is_named_like_code(input.name))
            join(group, input);
}

FileGroups::Group& FileGroups::start(bool is_found) {
    groups_.push_back(std::make_unique<Group>());
    groups_.back()->is_found = groups_.back()->is_mixed = is_found;
    return *groups_.back();
}

void FileGroups::join(Group& group, const InputFile& input) {
    if (input.walk) group.is_mixed = true;
    places_[&input] = {&group, group.inputs.size()};
    group.inputs.push_back(&input);
    group.paths.push_back(inputs_.path_of(input));
}

// The files of each folder that holds one of both kinds.
void FileGroups::find_in_folders() {
    struct Folder {
        std::vector<const InputFile*> recordings, code;
    };
    std::map<size_t, Folder> folders;
    for (const InputFile& input : inputs_) {
        if (!input.walk || !input.failure.empty()) continue;
        if (is_named_like_recording(input.name)) folders[input.parent].recordings.push_back(&input);
        if (is_named_like_code(input.name)) folders[input.parent].code.push_back(&input);
    }
    for (auto& [parent, folder] : folders) {
        if (folder.recordings.empty() || folder.code.empty()) continue;
        const size_t all = folder.recordings.size() + folder.code.size();
        folder.recordings.resize(std::min(folder.recordings.size(), kMostPaired / 2));
        folder.code.resize(std::min(folder.code.size(), kMostPaired - folder.recordings.size()));
        const size_t paired = folder.recordings.size() + folder.code.size();
        if (paired != all)
            complain(fmt::format("{} and others in its folder belong together: only {} of {} are paired",
                                 printable(inputs_.path_of(*folder.recordings.front())), paired, counted(all, "file")));
        Group& group = start(true);
        for (const InputFile* input : folder.recordings) join(group, *input);
        for (const InputFile* input : folder.code) join(group, *input);
    }
}

std::unique_ptr<Outcome> FileGroups::take(const InputFile& input, const CheckOne& check_one) {
    const InGroup place = places_.at(&input);
    const std::lock_guard lock(place.group->mutex);
    if (!place.group->is_checked) check(*place.group, check_one);
    return std::move(place.group->outcomes[place.at]);
}

// The facts of all files share one budget, which is as large as that of the work on one file.
void FileGroups::check(Group& group, const CheckOne& check_one) const {
    group.is_checked = true;
    group.outcomes.resize(group.inputs.size());
    Budget budget(line_.limits.of_file.memory);
    std::vector<std::unique_ptr<Facts>> facts;
    for (size_t i = 0; i < group.inputs.size(); ++i) {
        facts.push_back(std::make_unique<Facts>(budget));
        group.outcomes[i] = check_one(*group.inputs[i], facts.back().get());
    }
    try {
        judge(group, facts, budget);
    } catch (const std::bad_alloc&) {
        for (std::unique_ptr<Outcome>& outcome : group.outcomes)
            if (outcome != nullptr) outcome->context.limit_hit = true;
    }
}

// A file that could not be read to its end says too little of the others.
void FileGroups::judge(Group& group, std::vector<std::unique_ptr<Facts>>& facts, Budget& budget) const {
    std::vector<GroupMember> members;
    std::vector<Outcome*> outcomes;
    std::vector<std::unique_ptr<FileChoices>> choices;  // must not move: the reports refer to them
    bool is_partial = false;
    for (size_t i = 0; i < group.inputs.size(); ++i) {
        Outcome* const outcome = group.outcomes[i].get();
        if (outcome == nullptr || !outcome->failure.empty()) {
            is_partial |= outcome == nullptr || outcome->context.limit_hit;
            continue;
        }
        choices.push_back(std::make_unique<FileChoices>(choices_for(line_.choices, group.paths[i])));
        outcome->context.report.reopen(
            {line_.reporting.max_per_rule, &line_.choices.filter, &choices.back()->severities});
        members.push_back({group.paths[i], facts[i].get(), &outcome->context.report});
        outcomes.push_back(outcome);
    }
    GroupCheck check(members, budget, line_.limits.of_file.memory);
    check.is_found = group.is_found;
    check.is_mixed = group.is_mixed;
    check.is_partial = is_partial;
    judge_group(check);
    for (GroupCheck::Paired& paired : check.pairings)
        outcomes[paired.code]->pairings.push_back(std::move(paired.pairing));
    for (Outcome* outcome : outcomes) {
        outcome->context.report.finish();
        outcome->context.limit_hit |= check.limit_hit;
    }
}

}  // namespace tracelint
