// Files that belong together.
#include "validator/group.hpp"

#include "grammars/groups.hpp"

namespace tracelint {

std::span<const GroupGrammar* const> group_grammars() { return kGroupGrammars; }

void judge_group(GroupCheck& check) {
    for (const GroupGrammar* one : group_grammars()) one->judge(check);
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
