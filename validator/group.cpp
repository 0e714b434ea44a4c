// Files that belong together.
#include "validator/group.hpp"

#include <algorithm>
#include <utility>

#include "grammars/groups.hpp"

namespace tracelint {

std::span<const GroupGrammar* const> group_grammars() { return kGroupGrammars; }

void judge_group(GroupCheck& check) {
    for (const GroupGrammar* one : group_grammars()) one->judge(check);
}

bool GroupCheck::is_incomplete() const {
    return is_partial || std::ranges::any_of(members, [](const GroupMember& member) {
               return (member.facts->missing() & kKindPart) != 0;
           });
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

}  // namespace tracelint
