// samply: positions records, and how they match the lines of a tree.
#pragma once

#include "grammars/jitdump/samply/checks/lists.hpp"
#include "grammars/jitdump/samply/checks/tree.hpp"

namespace tracelint::samply {

// A positions record: its offsets, positions and chains of callers (sections 3.2 and 5.4).

// Checks a positions record, in the order of section 4.2.
class Positions {
  public:
    Positions(const Info2& info, ValidationContext& context, ScratchMemory& memory)
        : info_(info),
          context_(context),
          findings_(context.report, info.load),
          scratch_(memory),
          head_(info.bytes.data(), info.offset, info.order, info.index) {}

    // `is_misplaced`: a finding says that the record is not about the LOAD that follows. False if memory is short.
    bool check(bool is_misplaced);

  private:
    static constexpr uint32_t kNoCaller = ~uint32_t{0};

    bool place_lists();
    void check_offsets();
    void check_positions(uint64_t strings);
    void check_position(uint64_t number, uint64_t strings);
    template <const Rule& R>
    void check_index(const Place& place, int64_t index, uint64_t limit);
    bool check_callers();
    void check_roots(const Strings& strings);
    bool check_references(uint64_t strings);

    const Info2& info_;
    ValidationContext& context_;
    Findings findings_;
    Scratch scratch_;
    View<kPositions> head_;
    Elements<kCodeOffset> offsets_;
    Elements<kSourcePosition> positions_;
    ScratchVector<uint32_t> callers_;  // by position; kNoCaller: none, or its index is out of range
};

extern const RuleList kPositionsRules;

// The lines, compared with the inlined calls that they are in (sections 3.1.5 and 5.3).

// SYNC of section 4.2. Call it if the tree has no errors, its nesting is clean, and the size of the code is known.
// `spans`: those of check_nesting. False if memory is short.
bool check_line_match(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
                      ValidationContext& context, Scratch& scratch, Findings& findings);

}  // namespace tracelint::samply
