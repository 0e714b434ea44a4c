// samply, section 5.3: lines in step with inlining.
#pragma once

#include "grammars/samply/nesting.hpp"

namespace tracelint::samply {

inline constexpr Rule kLineFileMismatch{
    .id = "samply/line-file-mismatch",
    .severity = Severity::warning,
    .statement = "a line is of the file of the function that its code is inlined from",
    .message =
        "this line is of another file than the innermost function at {0x}, function_list[{1}]; {2 such line|such "
        "lines} of it in all",
    .why = "a reader shows the function with a line of another file; macros and includes make such lines, too",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kLineSpansInlineBoundary{
    .id = "samply/line-spans-inline-boundary",
    .severity = Severity::warning,
    .statement = "a line record ends where the innermost function changes",
    .message = "the record begins in function_list[{0}] and goes on beyond {1x}, where function_list[{2}] begins",
    .why = "a reader shows a line of one function in another",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kLineRecordRedundant{
    .id = "samply/line-record-redundant",
    .severity = Severity::note,
    .statement = "there is one line record for each contiguous range of one location",
    .message =
        "the record says what the one before it says, and no inlined range begins or ends between them; {0 such "
        "record|such records} in all",
    .why = "it only takes space",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr const Rule* kSyncRules[] = {&kLineFileMismatch, &kLineSpansInlineBoundary, &kLineRecordRedundant};

// SYNC: the tree is sound and the size of the code is known. `spans` are those of check_nesting. False when there is no
// memory for it.
bool check_sync(const Info2& info, const TreeLists& lists, const std::vector<Span>& spans, const Strings& files,
                ValidationContext& context, Findings& findings);

}  // namespace tracelint::samply
