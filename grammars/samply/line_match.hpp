// The lines, compared with the inlined calls that they lie in (sections 3.1.5 and 5.3).
#pragma once

#include "grammars/samply/nesting.hpp"

namespace tracelint::samply {

// SYNC of section 4.2. Call it if the tree has no errors, its nesting is clean, and the size of the code is known.
// `spans`: those of check_nesting. False if memory is short.
bool check_line_match(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
                      ValidationContext& context, Findings& findings);

extern const RuleList kLineMatchRules;

}  // namespace tracelint::samply
