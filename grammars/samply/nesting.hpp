// samply, section 5.3: the ranges of inlined calls against those of their callers and neighbours.
#pragma once

#include "grammars/samply/tree.hpp"

namespace tracelint::samply {

inline constexpr Rule kChildRangeOutsideParent{
    .id = "samply/child-range-outside-parent",
    .severity = Severity::error,
    .statement = "the ranges of a call lie in those of its caller",
    .message =
        "the range {0x} to {1x} is not inside of the ranges of its caller, inline_call_list[{2}]; {3 such range|such "
        "ranges} in all",
    .why = "the tree contradicts itself: a reader shows the frame without its caller, or not at all",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kSiblingRangesOverlap{
    .id = "samply/sibling-ranges-overlap",
    .severity = Severity::warning,
    .statement = "ranges of different calls with the same caller do not overlap",
    .message =
        "the range begins at {0x}, before {1x}, where a range of inline_call_list[{2}] ends, which has the same caller",
    .why = "which of the two calls the code belongs to is chance",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kRangeSelfOverlap{
    .id = "samply/range-self-overlap",
    .severity = Severity::warning,
    .statement = "the ranges of a call do not overlap",
    .message = "the range begins at {0x}, before {1x}, where another range of its call ends",
    .why = "the code is counted twice, or the ranges are read wrongly",
    .spec = "3.1.4 Range",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr const Rule* kNestingRules[] = {&kChildRangeOutsideParent, &kSiblingRangesOverlap, &kRangeSelfOverlap};

// Code of a call: [start, last], offsets from the function's start.
struct Span {
    uint32_t start, last;
    uint32_t call;
};

// NESTING: the tree and its ranges are sound. Leaves in `spans` the ranges of the calls, in the order of the calls;
// those of one call are sorted, and one where they touch or overlap. False when there is no memory for it.
bool check_nesting(const TreeLists& lists, const std::vector<Call>& calls, std::vector<Span>& spans,
                   ValidationContext& context, Scratch& scratch, Findings& findings);

}  // namespace tracelint::samply
