// Groups of files in memory.
#include "fuzz/judged_group.hpp"

#include <algorithm>
#include <bit>

#include "fuzz/findings.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostFiles = 4;

bool is_of_group(const Diagnostic& finding) { return finding.rule->id.starts_with("siblings/"); }
bool says_limit(const Diagnostic& finding) {
    constexpr const Rule* kLimits[] = {&kGzipTooLarge, &kZstdTooLarge};
    return is_tracking_limit(*finding.rule) || std::ranges::find(kLimits, finding.rule) != std::end(kLimits);
}

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
std::vector<std::string> descriptions(const JudgedGroup& group, const std::vector<GroupFile>& files) {
    std::vector<std::string> all;
    for (size_t i = 0; i < files.size(); ++i)
        for (const Diagnostic& finding : group.outcomes[i]->report().diagnostics())
            if (is_of_group(finding) && !says_limit(finding)) all.push_back(text_of(files[i].name, finding));
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
        return std::ranges::any_of(outcome->report().diagnostics(), says_limit);
    });
}

bool hits_limit(const JudgedGroup& group) {
    return group.limit_hit ||
           std::ranges::any_of(group.outcomes, [](const auto& outcome) { return outcome->context.limit_hit; });
}

// Every finding of the group is in its file, and what is related in the other one.
Complaint lie_in_files(const JudgedGroup& group, const std::vector<GroupFile>& files) {
    const auto size_of = [&](size_t i) { return group.outcomes[i]->size.value_or(kNone); };
    for (size_t i = 0; i < files.size(); ++i) {
        for (const Diagnostic& finding : group.outcomes[i]->report().diagnostics()) {
            if (!is_of_group(finding)) continue;
            const auto other = std::ranges::find(files, finding.related_file, &GroupFile::name);
            const bool is_related = finding.related_offset != kNone;
            if (other == files.end() || (files.size() > 1 && finding.related_file == files[i].name))
                return text_of(files[i].name, finding) + " names no other file";
            if (!is_inside(finding.place.offset, finding.place.length, size_of(i)) ||
                (is_related && !is_inside(finding.related_offset, finding.related_length,
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
    for (const auto& [all, less] : {std::pair(descriptions(group, files), descriptions(other, reversed)),
                                    std::pair(joined(group, files), joined(other, reversed))})
        if (all != less)
            return "the order of the files matters: " + difference(all, less) + " / " + difference(less, all);
    return std::nullopt;
}

void change_a_byte(std::string& bytes, Random& random) {
    char& byte = bytes[below(random, bytes.size())];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + below(random, 255)));
}

}  // namespace

JudgedGroup judge_files(const std::vector<GroupFile>& files, const GroupLimits& limits, size_t kept_per_rule) {
    JudgedGroup judged;
    Budget budget(limits.memory);
    {
        std::vector<std::unique_ptr<Facts>> facts;
        std::vector<GroupMember> members;
        for (const GroupFile& file : files) {
            CheckOptions options;
            options.file_name = file.name;
            options.limits = limits.walk;
            facts.push_back(std::make_unique<Facts>(budget));
            options.facts = facts.back().get();
            MemorySource source(file.bytes);
            judged.outcomes.push_back(std::make_unique<Outcome>(check(source, options)));
            ValidationContext& context = judged.outcomes.back()->context;
            ReportOptions kept;
            kept.kept_per_rule = kept_per_rule;
            context.report.reopen(kept);
            members.push_back({file.name, facts.back().get(), &context.report});
            judged.facts += facts_of(*facts.back());
            judged.walk_work += context.work.total();
            judged.most_walk = std::max(judged.most_walk, context.budget.most_taken());
        }
        GroupCheck check(members, budget, limits.memory);
        check.is_found = check.is_mixed = limits.is_found;
        judge_group(check);
        judged.pairings = std::move(check.pairings);
        judged.limit_hit = check.limit_hit;
        judged.work = check.work.total();
        for (const auto& one : facts) judged.walk_work += one->work.total();
    }
    judged.most_taken = budget.most_taken();
    judged.is_returned = budget.is_whole();
    for (const auto& outcome : judged.outcomes) outcome->context.report.finish();
    return judged;
}

Complaint limits_make_up(const JudgedGroup& without, const std::vector<GroupFile>& files, const GroupLimits& limits) {
    const JudgedGroup less = judge_files(files, limits);
    const std::string with = "with " + std::to_string(limits.memory) + " bytes of memory, and " +
                             std::to_string(limits.walk.memory) + " for each walk, records up to " +
                             std::to_string(limits.walk.record) + ": ";
    if (less.most_taken > limits.memory) return with + std::to_string(less.most_taken) + " are taken";
    const std::vector<std::string> all = descriptions(without, files), some = descriptions(less, files);
    if (const std::string made_up = difference(some, all); !made_up.empty()) return with + "made up: " + made_up;
    if (some == all || (names_limit(less) && hits_limit(less))) return std::nullopt;
    return with + "missing without a word: " + difference(all, some);
}

MutatedGroup mutated(const std::vector<GroupFile>& files, uint64_t seed) {
    Random random(seed);
    MutatedGroup group;
    const size_t changed = files.empty() ? 0 : below(random, files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        std::string bytes(as_text(files[i].bytes));
        const Format* const format = format_of(files[i].bytes);
        if (i == changed && format != nullptr && !one_in(random, 4))
            bytes = mutated(generator_of(*format), files[i].bytes, random());
        else if (i == changed && !bytes.empty())
            change_a_byte(bytes, random);
        group.bytes.push_back(std::move(bytes));
    }
    for (size_t i = 0; i < files.size(); ++i) group.files.push_back({files[i].name, as_bytes(group.bytes[i])});
    return group;
}

GroupCost group_cost(const std::vector<GroupFile>& files, bool is_found) {
    GroupLimits limits;
    limits.is_found = is_found;
    const JudgedGroup judged = judge_files(files, limits, kShownPerRule);
    GroupCost cost{.files = files.size(),
                   .work = judged.work + judged.walk_work,
                   .memory = judged.most_taken,
                   .pairings = judged.pairings.size(),
                   .limit_hit = hits_limit(judged)};
    for (const GroupFile& file : files) cost.bytes += file.bytes.size();
    return cost;
}

namespace {

uint64_t most_work_of(const GroupCost& cost) {
    constexpr uint64_t kMostPerByte = 16;
    return kMostPerByte * cost.bytes + kWorkAtLeast * cost.files;
}

}  // namespace

Complaint fault_of(const GroupCost& cost) {
    constexpr uint64_t kLeastPairings = 4096, kPairingsPerFile = 16, kMemoryAtLeast = 2 * kMiB;
    const auto exceeds = [](const char* what, uint64_t there, uint64_t most) -> Complaint {
        if (there <= most) return std::nullopt;
        return std::string(what) + ": " + std::to_string(there) + ", above " + std::to_string(most);
    };
    if (auto work = exceeds("work", cost.work, most_work_of(cost))) return work;
    if (auto memory = exceeds("memory", cost.memory, kMemoryPerByte * cost.bytes + kMemoryAtLeast)) return memory;
    // Those of two files, and a line for each file that is not compared.
    return exceeds("lines", cost.pairings, std::max(kLeastPairings, kPairingsPerFile * cost.files) + cost.files);
}

Complaint fault_of(const GroupCost& cost, const GroupCost& smaller) {
    constexpr double kMostGrowth = 2.2;  // for each doubling of the files
    if (const Complaint above = fault_of(cost)) return above;
    const double size = static_cast<double>(cost.bytes) / static_cast<double>(std::max<uint64_t>(smaller.bytes, 1));
    const auto before = static_cast<double>(std::max(smaller.work, most_work_of(smaller) / 2));
    if (static_cast<double>(cost.work) > kMostGrowth / 2 * size * before)
        return "work grows from " + std::to_string(smaller.work) + " to " + std::to_string(cost.work);
    return std::nullopt;
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
    constexpr uint64_t kLittle = 4096;
    const auto some_of = [&](uint64_t most) { return below(random, one_in(random, 2) ? most + 1 : kLittle); };
    switch (below(random, 4)) {
        case 0: limits.memory = some_of(group.most_taken); break;
        case 1: limits.walk.memory = some_of(group.most_walk); break;
        case 2: limits.walk.record = some_of(2 * kLittle); break;
        // As --max-memory has it.
        default: limits.memory = limits.walk.memory = some_of(std::max(group.most_taken, group.most_walk)); break;
    }
    return limits_make_up(group, files, limits);
}

}  // namespace tracelint
