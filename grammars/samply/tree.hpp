// samply, section 5.2: the structure of a tree record, and what refers to what in it.
#pragma once

#include "grammars/samply/lists.hpp"

namespace tracelint::samply {

inline constexpr Rule kListSizeUnaligned{
    .id = "samply/list-size-unaligned",
    .severity = Severity::error,
    .statement = "the sizes of the string lists are multiples of 4",
    .message = "the list has {0 byte|bytes}, which is no multiple of 4",
    .why = "all lists behind it are unaligned; a reader that rounds the size up reads all of them shifted",
    .spec = "3.1.1 String lists",
    .since = "0.1.0"};

inline constexpr Rule kStringListExcess{
    .id = "samply/string-list-excess",
    .severity = Severity::error,
    .statement = "at most 3 bytes of padding follow the announced strings of a list",
    .message = "{0 byte follows|bytes follow} the announced {1 string|strings} of the list, and padding has 3 at most",
    .why = "strings are not counted or the size is wrong: what names them shows the wrong text, or none",
    .spec = "3.1.1 String lists",
    .since = "0.1.0"};

inline constexpr Rule kPaddingNonzero{.id = "samply/padding-nonzero",
                                      .severity = Severity::warning,
                                      .statement = "the padding of a string list is zero",
                                      .message = "a byte of the list's padding is {0x}",
                                      .why = "a reader can ignore it; it may be what is left of a string that was cut",
                                      .spec = "3.1.1 String lists",
                                      .since = "0.1.0"};

inline constexpr Rule kNoFunctions{.id = "samply/no-functions",
                                   .severity = Severity::error,
                                   .statement = "the first function is the outer one, so there is one at least",
                                   .message = "function_count is 0",
                                   .why = "no line of the record belongs to any function",
                                   .spec = "3.1 SAMPLY_JIT_CODE_DEBUG_INFO2 (tree)",
                                   .since = "0.1.0"};

inline constexpr Rule kFunctionNameIndexRange{
    .id = "samply/function-name-index-range",
    .severity = Severity::error,
    .statement = "function_name_index is an index into function_names_list",
    .message = "function_name_index is {0}, and function_names_list has {1 string|strings}",
    .why = "the function has no name, or a reader fails at it",
    .spec = "3.1.2 FunctionRecord",
    .since = "0.1.0"};

inline constexpr Rule kFunctionFileIndexRange{.id = "samply/function-file-index-range",
                                              .severity = Severity::error,
                                              .statement = "file_index of a function is an index into file_list",
                                              .message = "file_index is {0}, and file_list has {1 string|strings}",
                                              .why = "the calls in this function have no file, or a reader fails at it",
                                              .spec = "3.1.2 FunctionRecord",
                                              .since = "0.1.0"};

inline constexpr Rule kFunctionFlagsUndefined{.id = "samply/function-flags-undefined",
                                              .severity = Severity::note,
                                              .statement = "flags of a function are 0, since no value is defined",
                                              .message = "flags are {0x}",
                                              .why = "no reader can know what they mean",
                                              .spec = "3.1.2 FunctionRecord",
                                              .since = "0.1.0"};

inline constexpr Rule kInlineDepthJump{
    .id = "samply/inline-depth-jump",
    .severity = Severity::error,
    .statement = "a call is at most one deeper than the call before it, and the first has depth 0",
    .message = "depth is {0}, and {1} at most is possible here",
    .why = "the caller of this call does not exist: a reader that keeps a stack of calls fails, or shows a wrong one",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kInlineFunctionIndexRange{
    .id = "samply/inline-function-index-range",
    .severity = Severity::error,
    .statement = "function_index is an index into function_list",
    .message = "function_index is {0}, and function_list has {1 function|functions}",
    .why = "the inlined frame has no name, or a reader fails at it",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kInlineOfOuterFunction{
    .id = "samply/inline-of-outer-function",
    .severity = Severity::note,
    .statement = "the outer function is not inlined into itself",
    .message = "function_index is 0, the outer function",
    .why = "recursive inlining is legal; where the runtime does none, the index is wrong",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kRangeCountZero{
    .id = "samply/range-count-zero",
    .severity = Severity::error,
    .statement = "a call has one range at least",
    .message = "range_count is 0",
    .why = "the call has no code; a reader that takes its first range takes another's",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kRangeCountOverrun{
    .id = "samply/range-count-overrun",
    .severity = Severity::error,
    .statement = "all calls together have the ranges that range_list has",
    .message = "the calls up to this one take {0 range|ranges}, and range_list has {1}",
    .why = "a reader reads on behind the list, or fails",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kRangeCountUnused{
    .id = "samply/range-count-unused",
    .severity = Severity::error,
    .statement = "all ranges belong to a call",
    .message = "the calls take {0 range|ranges}, and {1 more is|more are} in range_list",
    .why = "a range_count is too low, and then the ranges of all calls behind it belong to the wrong one",
    .spec = "3.1.3 InlineCallRecord",
    .since = "0.1.0"};

inline constexpr Rule kRangeOverflow{.id = "samply/range-overflow",
                                     .severity = Severity::error,
                                     .statement = "a range ends at 2^32 at most",
                                     .message = "the range begins at {0x} and has {1x} bytes: it ends above 2^32",
                                     .why = "its end wraps around, and the range covers nothing, or all",
                                     .spec = "3.1.4 Range",
                                     .since = "0.1.0"};

inline constexpr Rule kRangeBeyondCode{.id = "samply/range-beyond-code",
                                       .severity = Severity::error,
                                       .statement = "a range lies in the code of its function",
                                       .message = "the range ends at {0x}, and the code has {1x} bytes",
                                       .why = "frames are shown for code of another function, or never",
                                       .spec = "3.1.4 Range",
                                       .since = "0.1.0",
                                       .decided_later = true};

inline constexpr Rule kRangeEmpty{.id = "samply/range-empty",
                                  .severity = Severity::warning,
                                  .statement = "a range has bytes",
                                  .message = "the size of the range is 0",
                                  .why = "it covers nothing; a call with no other range is never shown",
                                  .spec = "3.1.4 Range",
                                  .since = "0.1.0",
                                  .decided_later = true};

inline constexpr Rule kLineFileIndexRange{.id = "samply/line-file-index-range",
                                          .severity = Severity::error,
                                          .statement = "file_index of a line is an index into file_list",
                                          .message = "file_index is {0}, and file_list has {1 string|strings}",
                                          .why = "the line has no file, or a reader fails at it",
                                          .spec = "3.1.5 LineRecord",
                                          .since = "0.1.0",
                                          .decided_later = true};

inline constexpr Rule kLineZero{.id = "samply/line-zero",
                                .severity = Severity::note,
                                .statement = "lines are counted from 1",
                                .message = "the line is 0",
                                .why = "a reader shows line 0; from DWARF it means that the code belongs to no line",
                                .spec = "3.3.4 Lines",
                                .since = "0.1.0",
                                .decided_later = true};

inline constexpr const Rule* kTreeRules[] = {&kListSizeUnaligned,        &kStringListExcess,
                                             &kPaddingNonzero,           &kNoFunctions,
                                             &kFunctionNameIndexRange,   &kFunctionFileIndexRange,
                                             &kFunctionFlagsUndefined,   &kInlineDepthJump,
                                             &kInlineFunctionIndexRange, &kInlineOfOuterFunction,
                                             &kRangeCountZero,           &kRangeCountOverrun,
                                             &kRangeCountUnused,         &kRangeOverflow,
                                             &kRangeBeyondCode,          &kRangeEmpty,
                                             &kLineFileIndexRange,       &kLineZero};

// An inlined call and its place in the tree.
struct Call {
    static constexpr uint32_t kOuter = ~uint32_t{0};

    uint32_t caller = kOuter;  // the call that it lies in; kOuter: the outer function itself
    uint32_t first_range = 0, range_count = 0;
};

// The lists of fixed elements.
struct TreeLists {
    Elements<kFunctionRecord> functions;
    Elements<kInlineCallRecord> calls;
    Elements<kRange> ranges;
    Elements<kLineRecord> lines;
};

// Checks a tree record in the order of section 4.2.
class Tree {
  public:
    Tree(const Info2& info, ValidationContext& context);

    // False when there is no memory for some of it.
    bool check();

  private:
    bool check_header();
    bool check_strings(Strings& strings, uint64_t announced, bool& countable);
    void check_functions();
    bool check_calls();
    void check_call(uint64_t number, std::vector<uint32_t>& stack);
    void take_ranges(uint64_t number);
    void check_ranges();
    void check_lines();
    bool check_references(uint64_t files, uint64_t names);

    const Info2& info_;
    ValidationContext& context_;
    Findings findings_;
    Scratch scratch_;
    View<kTree> head_;
    uint64_t files_at_ = 0, names_at_ = 0;  // the string lists, from the record's start
    TreeLists lists_;
    bool files_countable_ = true, names_countable_ = true;  // indexes into them can be judged (T2)
    std::vector<Call> calls_;
    uint64_t ranges_taken_ = 0;
    bool overrun_ = false, has_rangeless_call_ = false;  // T12, T11
};

}  // namespace tracelint::samply
