// The ranges of inlined calls, compared with those of their callers and neighbours (sections 3.1.4 and 5.3).
#pragma once

#include "grammars/samply/tree.hpp"

namespace tracelint::samply {

// Code of a call: offsets [start, last] from the start of the function.
struct Span {
    uint32_t start, last;
    uint32_t call;
};

// NESTING of section 4.2. Call it if the tree and its ranges have no errors. Fills `spans` with the ranges of the
// calls, in the order of the calls; those of one call are sorted, and merged where they touch or overlap. False if
// memory is short.
bool check_nesting(const TreeLists& lists, const ScratchVector<Call>& calls, ScratchVector<Span>& spans,
                   ValidationContext& context, Scratch& scratch, Findings& findings);

extern const RuleList kNestingRules;

}  // namespace tracelint::samply
