// Inputs that are checked together.
#include "validator/tool/run/file_groups.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
FileGroups::FileGroups(const CheckLine& line, const Inputs& inputs) : line_(line), inputs_(inputs) {
    if (!line.inputs.beside.empty()) {
        join_all();
        return;
    }
    find_in_folders();
    // What --for says is of one file.
    if (line.inputs.manifest.empty() && !line.inputs.no_pair && line.choices.readers.empty()) seek_partners();
}

void FileGroups::seek_partners() {
    for (const InputFile& input : inputs_) {
        if (input.walk || !input.failure.empty() || !is_recording_file(inputs_.path_of(input))) continue;
        Group& group = start(false);
        group.seeks_partners = true;
        join(group, input);
    }
}

void FileGroups::join_all() {
    Group& group = start(false);
    group.is_mixed = !line_.inputs.found_beside.empty();
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

const Partners& FileGroups::partners_of(const InputFile& input) const { return places_.at(&input).group->partners; }

bool FileGroups::is_stranger(const InputFile& input) const {
    const InGroup place = places_.at(&input);
    return line_.inputs.found_beside.contains(input.name) && !place.group->is_paired[place.at];
}

// The facts of all files share one budget, which is as large as that of the work on one file.
void FileGroups::check(Group& group, const CheckOne& check_one) const {
    group.is_checked = true;
    group.is_paired.resize(group.inputs.size());
    group.outcomes.resize(group.inputs.size());
    if (group.seeks_partners) return check_with_partners(group, check_one);
    Budget budget(line_.limits.of_file.memory);
    std::vector<std::unique_ptr<Facts>> facts;
    std::vector<Member> members;
    for (size_t i = 0; i < group.inputs.size(); ++i) {
        facts.push_back(std::make_unique<Facts>(budget));
        group.outcomes[i] = check_one(*group.inputs[i], facts.back().get());
        members.push_back({group.paths[i], facts.back().get(), group.outcomes[i].get()});
    }
    try_to_judge(group, members, budget);
}

// The recording is read once more, for facts, if there is anything to compare it with.
void FileGroups::check_with_partners(Group& group, const CheckOne& check_one) const {
    std::unique_ptr<Outcome>& outcome = group.outcomes[0];
    outcome = check_one(*group.inputs[0], nullptr);
    if (outcome == nullptr || !outcome->failure.empty() || !outcome->context.recording) return;
    Budget budget(line_.limits.of_file.memory);
    Facts facts(budget);
    try {
        group.partners = tracelint::partners_of(group.paths[0], *outcome->context.recording, line_, budget);
    } catch (const std::bad_alloc&) {
        outcome->context.limit_hit = true;
    }
    if (group.partners.empty()) return;
    outcome = check_one(*group.inputs[0], &facts);
    if (outcome == nullptr || !outcome->failure.empty()) return group.partners.clear();
    std::vector<Member> members{{group.paths[0], &facts, outcome.get()}};
    for (const auto& partner : group.partners)
        members.push_back({partner->path, partner->facts.get(), partner->outcome.get()});
    try_to_judge(group, members, budget);
    std::string_view remark = "found automatically; --no-pair turns this off";
    for (const auto& partner : group.partners) {
        partner->facts.reset();
        for (Pairing& pairing : partner->outcome->pairings)
            if (pairing.remark.empty()) pairing.remark = std::exchange(remark, "found automatically");
    }
}

// May throw std::bad_alloc.
void FileGroups::judge(Group& group, const std::vector<Member>& all, Budget& budget) const {
    std::vector<std::unique_ptr<FileChoices>> choices;  // must not move: the reports refer to them
    std::vector<JoinedFile> files;
    for (const Member& member : all) {
        choices.push_back(std::make_unique<FileChoices>(choices_for(line_.choices, member.path)));
        files.push_back({member.path,
                         member.facts,
                         member.outcome,
                         {line_.reporting.max_per_rule, &line_.choices.filter, &choices.back()->severities}});
    }
    const std::vector<bool> is_paired =
        judge_joined(std::move(files), {group.is_found, group.is_mixed}, budget, line_.limits.of_file.memory);
    for (size_t i = 0; i < std::min(is_paired.size(), group.is_paired.size()); ++i) group.is_paired[i] = is_paired[i];
}

void FileGroups::try_to_judge(Group& group, const std::vector<Member>& all, Budget& budget) const {
    try {
        judge(group, all, budget);
    } catch (const std::bad_alloc&) {
        for (const Member& member : all)
            if (member.outcome != nullptr) member.outcome->context.limit_hit = true;
    }
}

}  // namespace tracelint
