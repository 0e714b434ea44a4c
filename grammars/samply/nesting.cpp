// The ranges of inlined calls, compared with those of their callers and neighbours (sections 3.1.4 and 5.3).
#include "grammars/samply/nesting.hpp"

#include <bit>

#include "validator/memory/sort_by_key.hpp"

namespace tracelint::samply {
namespace {

// A range, sorted by the caller of its call.
struct Owned {
    uint64_t key;  // caller (counted from 1; 0: the outer function) and start
    uint32_t range;
    uint32_t call;
};

constexpr Rule kChildRangeOutsideParent{
    .id = "samply/child-range-outside-parent",
    .severity = Severity::error,
    .statement = "the ranges of a call lie within those of its caller",
    .message =
        "the range {0x} to {1x} is not inside the ranges of its caller, inline_call_list[{2}]; {3 such range|such "
        "ranges} in all",
    .why = "the tree contradicts itself: readers show the frame without its caller, or not at all",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kSiblingRangesOverlap{
    .id = "samply/sibling-ranges-overlap",
    .severity = Severity::warning,
    .statement = "ranges of different calls with the same caller do not overlap",
    .message =
        "the range begins at {0x}, before {1x}, the end of a range of inline_call_list[{2}], which has the same caller",
    .why = "which of the two calls the code belongs to is undefined",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kRangeSelfOverlap{
    .id = "samply/range-self-overlap",
    .severity = Severity::warning,
    .statement = "the ranges of a call do not overlap",
    .message = "the range begins at {0x}, before {1x}, the end of another range of the same call",
    .why = "readers count the code twice, or the ranges are wrong",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

class Nesting {
  public:
    Nesting(const TreeLists& lists, const ScratchVector<Call>& calls, ScratchVector<Span>& spans,
            ValidationContext& context, Findings& findings)
        : lists_(lists), calls_(calls), spans_(spans), context_(context), findings_(findings) {}

    bool check() {
        Scratch scratch(context_.budget);
        return scratch.assign(is_outside_, lists_.ranges.count(), uint8_t{0}) && check_callers() && check_neighbours();
    }

  private:
    uint64_t start_of(uint32_t range) const { return lists_.ranges[range].get<"start_offset">(); }
    uint64_t size_of(uint32_t range) const { return lists_.ranges[range].get<"size">(); }

    // Checks each range against the spans of its caller, which precedes it.
    bool check_callers() {
        Scratch scratch(context_.budget);
        ScratchVector<Span> sorting;
        ScratchVector<uint32_t> first_spans;  // by call
        if (!scratch.reserve(sorting, lists_.ranges.count()) || !scratch.reserve(first_spans, calls_.size()))
            return false;
        for (uint32_t i = 0; i < calls_.size(); ++i) {
            first_spans.push_back(static_cast<uint32_t>(spans_.size()));
            const uint32_t caller = calls_[i].caller;
            if (caller != Call::kOuter) {
                const size_t from = first_spans[caller], to = first_spans[caller + 1];
                check_inside_caller(calls_[i], {spans_.data() + from, to - from});
            }
            merge_ranges(i, sorting);
        }
        if (outside_ == 0) return true;
        const uint64_t start = start_of(first_outside_), end = start + size_of(first_outside_);
        findings_.add<kChildRangeOutsideParent>(lists_.ranges[first_outside_].whole(lists_.ranges.kSize),
                                                {start, end, caller_of_first_, outside_});
        return true;
    }

    void check_inside_caller(const Call& call, std::span<const Span> caller) {
        context_.work.add(call.range_count * static_cast<uint64_t>(std::bit_width(caller.size())));
        for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i) {
            const uint64_t start = start_of(i), size = size_of(i);
            if (size == 0 || is_inside(caller, start, start + size - 1)) continue;
            is_outside_[i] = 1;
            if (outside_++ > 0) continue;
            first_outside_ = i;
            caller_of_first_ = call.caller;
        }
    }

    // Whether one of the spans contains [start, last]. They are sorted and do not touch. The search has no branch on
    // what it compares: hostile ranges come in random order.
    static bool is_inside(std::span<const Span> spans, uint64_t start, uint64_t last) {
        if (spans.empty()) return false;
        size_t at = 0;
        for (size_t left = spans.size(); left > 1;) {
            const size_t half = left / 2;
            at = start < spans[at + half].start ? at : at + half;
            left -= half;
        }
        return spans[at].start <= start && last <= spans[at].last;
    }

    // Adds the spans of call `number`.
    void merge_ranges(uint32_t number, ScratchVector<Span>& sorting) {
        const Call& call = calls_[number];
        const size_t first = spans_.size();
        for (uint32_t i = call.first_range; i < call.first_range + call.range_count; ++i) {
            const uint64_t start = start_of(i), size = size_of(i);
            if (size != 0)
                spans_.push_back({static_cast<uint32_t>(start), static_cast<uint32_t>(start + size - 1), number});
        }
        const std::span<Span> own(spans_.begin() + static_cast<std::ptrdiff_t>(first), spans_.end());
        sort_by_key(own, sorting, [](const Span& span) { return span.start; }, context_.work);
        size_t kept = first;
        for (size_t i = first; i < spans_.size(); ++i) {
            if (kept > first && spans_[i].start <= uint64_t{spans_[kept - 1].last} + 1)
                spans_[kept - 1].last = std::max(spans_[kept - 1].last, spans_[i].last);
            else
                spans_[kept++] = spans_[i];
        }
        spans_.resize(kept);
    }

    // Checks the ranges of each caller against each other.
    bool check_neighbours() {
        Scratch scratch(context_.budget);
        ScratchVector<Owned> owned, sorting;
        if (!scratch.reserve(owned, lists_.ranges.count()) || !scratch.reserve(sorting, lists_.ranges.count()))
            return false;
        for (uint32_t c = 0; c < calls_.size(); ++c)
            for (uint32_t i = calls_[c].first_range; i < calls_[c].first_range + calls_[c].range_count; ++i)
                if (size_of(i) != 0 && is_outside_[i] == 0)
                    owned.push_back({uint64_t{calls_[c].caller + 1} << 32 | start_of(i), i, c});
        sort_by_key(std::span(owned), sorting, [](const Owned& one) { return one.key; }, context_.work);
        uint64_t highest = 0;  // end of the ranges of one caller so far
        uint32_t owner = 0;    // the call that reached it first
        for (size_t i = 0; i < owned.size(); ++i) {
            if (i == 0 || owned[i].key >> 32 != owned[i - 1].key >> 32) highest = 0;
            const uint64_t start = start_of(owned[i].range), end = start + size_of(owned[i].range);
            if (start < highest) {
                const Place place = lists_.ranges[owned[i].range].whole(lists_.ranges.kSize);
                owner == owned[i].call ? findings_.add<kRangeSelfOverlap>(place, {start, highest})
                                       : findings_.add<kSiblingRangesOverlap>(place, {start, highest, owner});
            }
            if (end <= highest) continue;
            highest = end;
            owner = owned[i].call;
        }
        return true;
    }

    const TreeLists& lists_;
    const ScratchVector<Call>& calls_;
    ScratchVector<Span>& spans_;
    ValidationContext& context_;
    Findings& findings_;
    ScratchVector<uint8_t> is_outside_;  // by range
    uint64_t outside_ = 0;
    uint32_t first_outside_ = 0;  // its number
    uint64_t caller_of_first_ = 0;
};

}  // namespace

bool check_nesting(const TreeLists& lists, const ScratchVector<Call>& calls, ScratchVector<Span>& spans,
                   ValidationContext& context, Scratch& scratch, Findings& findings) {
    return scratch.reserve(spans, lists.ranges.count()) && Nesting(lists, calls, spans, context, findings).check();
}

namespace {}  // namespace
constinit const RuleList kNestingRules = rules<&kChildRangeOutsideParent, &kSiblingRangesOverlap, &kRangeSelfOverlap>;

}  // namespace tracelint::samply
