// samply: tree records, and how the ranges of their calls nest.
#pragma once

#include "grammars/jitdump/samply/checks/lists.hpp"

namespace tracelint::samply {

// A tree record: its structure and its references (sections 3.1 and 5.2).

// Where an inlined call is in the tree, and its ranges in range_list.
struct Call {
    static constexpr uint32_t kOuter = ~uint32_t{0};

    uint32_t caller = kOuter;  // index of its caller; kOuter: the outer function
    uint32_t first_range = 0, range_count = 0;
};

// The lists of fixed-size elements.
struct TreeLists {
    Elements<kFunctionRecord> functions;
    Elements<kInlineCallRecord> calls;
    Elements<kRange> ranges;
    Elements<kLineRecord> lines;
};

// Checks a tree record, in the order of section 4.2.
class Tree {
  public:
    Tree(const Info2& info, ValidationContext& context, ScratchMemory& memory);

    // False if memory is short.
    bool check();

  private:
    bool check_header();
    bool check_strings(Strings& strings, uint64_t announced, bool& countable);
    void check_functions();
    bool check_calls();
    void check_call(uint64_t number, ScratchVector<uint32_t>& stack);
    void take_ranges(uint64_t number);
    void check_ranges();
    void check_lines();
    bool check_references(uint64_t files, uint64_t names);

    const Info2& info_;
    ValidationContext& context_;
    Findings findings_;
    Scratch scratch_;
    View<kTree> head_;
    uint64_t files_at_ = 0, names_at_ = 0;  // offsets of the string lists in the record
    TreeLists lists_;
    bool files_countable_ = true, names_countable_ = true;  // whether their announced counts are plausible
    ScratchVector<Call> calls_;
    uint64_t ranges_taken_ = 0;
    bool overrun_ = false;             // the calls claim more ranges than there are
    bool has_rangeless_call_ = false;  // a call claims none
};

extern const RuleList kTreeRules;

// The ranges of inlined calls, compared with those of their callers and neighbours (sections 3.1.4 and 5.3).

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

}  // namespace tracelint::samply
