// Files that belong together.
#include "validator/group.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "grammars/groups.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

std::span<const GroupGrammar* const> group_grammars() { return kGroupGrammars; }

void judge_group(GroupCheck& check) {
    for (const GroupGrammar* one : group_grammars()) one->judge(check);
}

bool GroupCheck::is_incomplete() {
    if (!is_kind_missing_) {
        work.add(members.size());
        is_kind_missing_ = std::ranges::any_of(
            members, [](const GroupMember& member) { return (member.facts->missing() & kKindPart) != 0; });
    }
    return is_partial || *is_kind_missing_;
}

bool GroupCheck::keep(size_t code, Pairing pairing) {
    // While the vector grows, old and new memory exist side by side.
    const uint64_t room = 3 * sizeof(Paired) + allocation_cost(pairing.next_step.capacity());
    const uint64_t cost = pairings.size() < kFreePairings ? 0 : room;
    if (!budget.take(cost)) return false;
    charged_ += cost;
    pairings.push_back({code, std::move(pairing)});
    return true;
}

void GroupCheck::add(const Rule& rule, size_t in, size_t with, const Place& place, std::span<const uint64_t> numbers,
                     RelatedPlace related, std::string_view hint) {
    Diagnostic finding;
    finding.rule = &rule;
    finding.place = place;
    std::copy_n(numbers.begin(), std::min(numbers.size(), finding.numbers.size()), finding.numbers.begin());
    finding.hint = hint;
    finding.related_offset = related.offset;
    finding.related_length = related.length;
    finding.related_file = members[with].path;
    members[in].report->add(finding);
}

namespace {

// May throw std::bad_alloc.
void judge_read(std::span<JoinedFile* const> files, bool is_partial, const Joining& joining, Budget& budget,
                uint64_t memory, std::vector<bool>& is_paired, const JoinedFile* first) {
    std::vector<GroupMember> members;
    for (JoinedFile* file : files) {
        file->outcome->context.report.reopen(file->report);
        members.push_back({file->path, file->facts, &file->outcome->context.report});
    }
    GroupCheck check(members, budget, memory);
    check.is_found = joining.is_found;
    check.is_mixed = joining.is_mixed;
    check.is_partial = is_partial;
    judge_group(check);
    for (GroupCheck::Paired& paired : check.pairings) {
        for (size_t i = 0; i < files.size(); ++i)
            if (paired.pairing.is_compared && (i == paired.code || files[i]->path == paired.pairing.recording))
                is_paired[static_cast<size_t>(files[i] - first)] = true;
        files[paired.code]->outcome->pairings.push_back(std::move(paired.pairing));
    }
    for (JoinedFile* file : files) {
        file->outcome->context.report.finish();
        file->outcome->context.limit_hit |= check.limit_hit;
    }
}

}  // namespace

std::vector<bool> judge_joined(std::vector<JoinedFile> files, const Joining& joining, Budget& budget, uint64_t memory) {
    std::vector<bool> is_paired;
    try {
        is_paired.resize(files.size());
        std::vector<JoinedFile*> read;
        bool is_partial = false;
        for (JoinedFile& file : files) {
            if (file.outcome != nullptr && file.outcome->failure.empty())
                read.push_back(&file);
            else
                is_partial |= file.outcome == nullptr || file.outcome->context.limit_hit;
        }
        judge_read(read, is_partial, joining, budget, memory, is_paired, files.data());
    } catch (const std::bad_alloc&) {
        for (const JoinedFile& file : files)
            if (file.outcome != nullptr) file.outcome->context.limit_hit = true;
    }
    return is_paired;
}

}  // namespace tracelint
