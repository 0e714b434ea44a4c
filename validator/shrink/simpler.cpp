// Changes of a record's values.
#include "validator/shrink/simpler.hpp"

#include <algorithm>

namespace tracelint {
namespace {

// The value after the last one of the list.
size_t end_of_list(const RecordValues& record, size_t list) {
    const Leaf& leaf = record.values[list].leaf;
    size_t end = list + 1;
    while (end < record.values.size() && record.values[end].leaf.depth > leaf.depth) ++end;
    return end;
}

// The values that begin the elements of a list.
std::vector<size_t> element_starts(const RecordValues& record, size_t list) {
    std::vector<size_t> starts;
    const size_t depth = record.values[list].leaf.depth + 1, end = end_of_list(record, list);
    uint64_t element = kNone;
    for (size_t i = list + 1; i < end; ++i) {
        const Leaf& leaf = record.values[i].leaf;
        if (leaf.depth == depth && leaf.element != element) {
            starts.push_back(i);
            element = leaf.element;
        }
    }
    return starts;
}

}  // namespace

std::vector<uint64_t> simplest_numbers(const Field& field, uint64_t number) {
    std::vector<uint64_t> simplest;
    const auto add = [&](uint64_t value) {
        if (std::ranges::find(simplest, value) == simplest.end()) simplest.push_back(value);
    };
    add(0);
    add(1);
    for (const Check& check : field.checks) {
        if (check.must == Check::Must::be_known && !field.names.empty()) add(field.names.front().value);
        if (check.must == Check::Must::equal || check.must == Check::Must::be_at_least) add(check.value);
        if (check.must == Check::Must::be_at_most && number > check.value) add(check.value);
        if (check.must == Check::Must::be_within_mask) add(number & check.value);
    }
    // What follows the number that is there is not simpler.
    simplest.erase(std::ranges::find(simplest, number), simplest.end());
    return simplest;
}

size_t elements_of(const RecordValues& record, size_t list) { return element_starts(record, list).size(); }

RecordValues without_elements(const RecordValues& record, size_t list, size_t first, size_t last) {
    std::vector<size_t> starts = element_starts(record, list);
    starts.push_back(end_of_list(record, list));
    RecordValues left = record;
    const auto begin = left.values.begin();
    left.values.erase(begin + static_cast<std::ptrdiff_t>(starts[first]),
                      begin + static_cast<std::ptrdiff_t>(starts[last]));
    uint64_t& count = left.values[list].leaf.number;
    if (count != kNone) count -= std::min<uint64_t>(count, last - first);
    return left;
}

void settle_sizes(const RecordValues& before, RecordValues& after, size_t forced) {
    RecordValues right_before = before, right = after;
    update_sizes(right_before);
    update_sizes(right);
    size_t same = 0;  // the value of `before` that the one of `after` was
    for (size_t i = 0; i < after.values.size(); ++i) {
        const Leaf& leaf = after.values[i].leaf;
        while (before.values[same].leaf.offset != leaf.offset || before.values[same].leaf.field != leaf.field ||
               before.values[same].leaf.kind != leaf.kind)
            if (++same == before.values.size()) return;
        if (i == forced || !after.values[i].is_number()) continue;
        const uint64_t wrong_by = before.values[same].leaf.number - right_before.values[same].leaf.number;
        if (right.values[i].leaf.number != leaf.number || wrong_by != 0)
            after.values[i].leaf.number = right.values[i].leaf.number + wrong_by;
    }
}

}  // namespace tracelint
