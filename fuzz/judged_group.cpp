// Groups of files in memory.
#include "fuzz/judged_group.hpp"

#include <algorithm>
#include <bit>

#include "fuzz/findings.hpp"
#include "validator/generator/random.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostFiles = 4;

bool is_of_group(const Diagnostic& finding) { return finding.rule->id.starts_with("siblings/"); }
bool is_about_limit(const Diagnostic& finding) { return finding.rule->id == "siblings/tracking-limit"; }

uint64_t facts_of(const Facts& facts) {
    const Recording& recording = facts.recording;
    return recording.events.size() + recording.mappings.size() + recording.births.size() + recording.deaths.size() +
           recording.samples.size() + facts.dump.functions.size() + facts.map.ranges.size();
}

// What a finding of the group says, and where.
std::string text_of(const std::string& file, const Diagnostic& finding) {
    std::string text = file + ' ' + text_of(finding_of(finding)) + ' ' + message_of(finding);
    text.append(" hint ").append(finding.hint).append(" with ").append(finding.related_file);
    return text + ' ' + std::to_string(finding.related_offset) + '+' + std::to_string(finding.related_length);
}

// All findings of the group but those about limits, and what is joined.
std::vector<std::string> sayings(const JudgedGroup& group, const std::vector<GroupFile>& files) {
    std::vector<std::string> all;
    for (size_t i = 0; i < files.size(); ++i)
        for (const Diagnostic& finding : group.outcomes[i]->report().diagnostics())
            if (is_of_group(finding) && !is_about_limit(finding)) all.push_back(text_of(files[i].name, finding));
    std::ranges::sort(all);
    return all;
}

std::vector<std::string> joined(const JudgedGroup& group, const std::vector<GroupFile>& files) {
    std::vector<std::string> all;
    for (const auto& [code, pairing] : group.pairings)
        all.push_back(files[code].name + " with " + std::string(pairing.recording) + ": " +
                      std::to_string(pairing.functions) + ' ' + std::to_string(pairing.samples) + ' ' +
                      std::to_string(pairing.in_functions.value_or(kNone)) + ' ' + pairing.next_step);
    std::ranges::sort(all);
    return all;
}

bool names_limit(const JudgedGroup& group) {
    return std::ranges::any_of(group.outcomes, [](const auto& outcome) {
        return std::ranges::any_of(outcome->report().diagnostics(), is_about_limit);
    });
}

bool lies_in(uint64_t offset, uint64_t length, uint64_t size) { return offset <= size && length <= size - offset; }

// Every finding of the group lies in its file, and what is related in the other one.
Complaint lie_in_files(const JudgedGroup& group, const std::vector<GroupFile>& files) {
    const auto size_of = [&](size_t i) { return group.outcomes[i]->size.value_or(kNone); };
    for (size_t i = 0; i < files.size(); ++i) {
        for (const Diagnostic& finding : group.outcomes[i]->report().diagnostics()) {
            if (!is_of_group(finding)) continue;
            const auto other = std::ranges::find(files, finding.related_file, &GroupFile::name);
            const bool is_related = finding.related_offset != kNone;
            if (other == files.end() || (files.size() > 1 && finding.related_file == files[i].name))
                return text_of(files[i].name, finding) + " names no other file";
            if (!lies_in(finding.place.offset, finding.place.length, size_of(i)) ||
                (is_related && !lies_in(finding.related_offset, finding.related_length,
                                        size_of(static_cast<size_t>(other - files.begin())))))
                return text_of(files[i].name, finding) + " is outside of its files";
            (void)field_path(finding.place);
        }
    }
    return std::nullopt;
}

std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::string> missing;
    std::ranges::set_difference(a, b, std::back_inserter(missing));
    return missing.empty() ? std::string() : missing.front();
}

bool have_names_of_their_own(const std::vector<GroupFile>& files) {
    for (const GroupFile& file : files)
        if (std::ranges::count(files, file.name, &GroupFile::name) != 1) return false;
    return true;
}

Complaint order_matters(const JudgedGroup& group, const std::vector<GroupFile>& files, const GroupLimits& limits) {
    const std::vector<GroupFile> reversed(files.rbegin(), files.rend());
    const JudgedGroup other = judge_files(reversed, limits);
    for (const auto& [all, less] : {std::pair(sayings(group, files), sayings(other, reversed)),
                                    std::pair(joined(group, files), joined(other, reversed))})
        if (all != less)
            return "the order of the files matters: " + difference(all, less) + " / " + difference(less, all);
    return std::nullopt;
}

Complaint limits_make_up(const JudgedGroup& group, const std::vector<GroupFile>& files, GroupLimits limits) {
    const JudgedGroup less = judge_files(files, limits);
    const std::string with = "with " + std::to_string(limits.memory) + " bytes of memory ";
    if (less.most_taken > limits.memory) return with + std::to_string(less.most_taken) + " are taken";
    const std::vector<std::string> all = sayings(group, files), some = sayings(less, files);
    if (const std::string made_up = difference(some, all); !made_up.empty()) return with + "made up: " + made_up;
    if (some == all || (names_limit(less) && less.limit_hit)) return std::nullopt;
    return with + "missing without a word: " + difference(all, some);
}

}  // namespace

JudgedGroup judge_files(const std::vector<GroupFile>& files, const GroupLimits& limits) {
    JudgedGroup judged;
    Budget budget(limits.memory);
    {
        std::vector<std::unique_ptr<Facts>> facts;
        std::vector<GroupMember> members;
        for (const GroupFile& file : files) {
            CheckOptions options;
            options.file_name = file.name;
            facts.push_back(std::make_unique<Facts>(budget));
            options.facts = facts.back().get();
            MemorySource source(file.bytes);
            judged.outcomes.push_back(std::make_unique<Outcome>(check(source, options)));
            ReportOptions all;
            all.kept_per_rule = 0;
            judged.outcomes.back()->context.report.reopen(all);
            members.push_back({file.name, facts.back().get(), &judged.outcomes.back()->context.report});
            judged.facts += facts_of(*facts.back());
        }
        GroupCheck check(members, budget, limits.memory);
        check.is_found = check.is_mixed = limits.is_found;
        judge_group(check);
        judged.pairings = std::move(check.pairings);
        judged.limit_hit = check.limit_hit;
        judged.work = check.work.total();
    }
    judged.most_taken = budget.most_taken();
    judged.is_returned = budget.is_whole();
    for (const auto& outcome : judged.outcomes) outcome->context.report.finish();
    return judged;
}

std::vector<GroupFile> files_in(Bytes input) {
    std::vector<GroupFile> files;
    while (!input.empty() && files.size() < kMostFiles) {
        const auto end = static_cast<size_t>(std::ranges::find(input, uint8_t{'\n'}) - input.begin());
        if (end >= input.size() || input.size() - end - 1 < 4) break;
        const Bytes length = input.subspan(end + 1, 4);
        const size_t claimed = length[0] | size_t{length[1]} << 8 | size_t{length[2]} << 16 | size_t{length[3]} << 24;
        const Bytes rest = input.subspan(end + 5);
        const Bytes bytes = rest.first(std::min(claimed, rest.size()));
        files.push_back({std::string(input.begin(), input.begin() + static_cast<ptrdiff_t>(end)), bytes});
        input = rest.subspan(bytes.size());
    }
    return files;
}

std::string framed(const std::vector<GroupFile>& files) {
    std::string input;
    for (const GroupFile& file : files) {
        input += file.name + '\n';
        for (unsigned shift = 0; shift < 32; shift += 8) input += static_cast<char>(file.bytes.size() >> shift & 0xff);
        input.append(file.bytes.begin(), file.bytes.end());
    }
    return input;
}

uint64_t most_work(uint64_t facts, size_t files) {
    return 64 + 12 * files * facts * static_cast<uint64_t>(std::bit_width(facts));
}

Complaint group_holds(const std::vector<GroupFile>& files, uint64_t seed) {
    Random random(seed);
    GroupLimits limits;
    limits.is_found = one_in(random, 2);
    const JudgedGroup group = judge_files(files, limits);
    if (group.work > most_work(group.facts, files.size()))
        return std::to_string(group.work) + " units of work for " + std::to_string(group.facts) + " facts";
    if (!group.is_returned) return "the memory returned to the budget is not the memory taken from it";
    if (have_names_of_their_own(files)) {
        if (const Complaint outside = lie_in_files(group, files)) return outside;
        if (const Complaint order = order_matters(group, files, limits)) return order;
    }
    limits.memory = below(random, one_in(random, 2) ? group.most_taken + 1 : 4096);
    return limits_make_up(group, files, limits);
}

}  // namespace tracelint
