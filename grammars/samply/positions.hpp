// samply, section 5.4: a positions record, its offsets, positions and chains of callers.
#pragma once

#include "grammars/samply/lists.hpp"

namespace tracelint::samply {

inline constexpr Rule kPositionIndexRange{
    .id = "samply/position-index-range",
    .severity = Severity::error,
    .statement = "source_position is an index into the source positions",
    .message = "source_position is {0}, and there are {1 source position|source positions}",
    .why = "readers silently show no frames for this code",
    .spec = "3.2.1 CodeOffset",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "it is 0xffffffff", "source_position is 0xffffffff, which is taken for none",
                         "readers show no frames for this code"}};

inline constexpr Rule kCallerIndexRange{
    .id = "samply/caller-index-range",
    .severity = Severity::error,
    .statement = "caller_index is an index into the source positions, or -1",
    .message = "caller_index is {0}, and there are {1 source position|source positions}",
    .why = "readers silently cut the chain here: the outer frames are lost",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::warning, "it is below -1", "caller_index reads as -{0}, and only -1 means none",
                         "readers take it for -1"}};

inline constexpr Rule kCallerCycle{
    .id = "samply/caller-cycle",
    .severity = Severity::error,
    .statement = "no position is its own caller, directly or through others",
    .message = "the callers of this position lead back to it: a cycle of {0 position|positions}",
    .why = "samply's reader loops for ever and takes memory with every step",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kPositionNameIndexRange{.id = "samply/position-name-index-range",
                                              .severity = Severity::error,
                                              .statement = "function_name is an index into the strings",
                                              .message = "function_name is {0}, and there are {1 string|strings}",
                                              .why = "readers silently show a frame without a name",
                                              .spec = "3.2.2 SourcePosition",
                                              .since = "0.1.0",
                                              .decided_later = true};

inline constexpr Rule kPositionFileIndexRange{
    .id = "samply/position-file-index-range",
    .severity = Severity::error,
    .statement = "file is an index into the strings, or -1",
    .message = "file is {0}, and there are {1 string|strings}",
    .why = "readers silently show a frame without a file",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override = SeverityOverride{Severity::warning, "it is below -1",
                                          "file reads as -{0}, and only -1 means unknown", "readers take it for -1"}};

inline constexpr Rule kRootFunctionDiffers{
    .id = "samply/root-function-differs",
    .severity = Severity::warning,
    .statement = "all positions without a caller are of one function, that of the LOAD",
    .message = "this position has no caller and is of another function than position {0}, the first without a caller",
    .why = "readers show another function as the outermost frame of this code",
    .spec = "3.2.2 SourcePosition",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr const Rule* kPositionsRules[] = {
    &kPositionIndexRange,     &kCallerIndexRange,       &kCallerCycle,
    &kPositionNameIndexRange, &kPositionFileIndexRange, &kRootFunctionDiffers};

// Checks a positions record in the order of section 4.2.
class Positions {
  public:
    Positions(const Info2& info, ValidationContext& context)
        : info_(info),
          context_(context),
          findings_(context.report, info.load),
          scratch_(context.budget),
          head_(info.bytes.data(), info.offset, info.order, info.index) {}

    // `bound_wrongly`: P1 or P2 has been said of the record. False when there is no memory for some of it.
    bool check(bool bound_wrongly);

  private:
    static constexpr uint32_t kNoCaller = ~uint32_t{0};

    bool check_header();
    void check_offsets();
    void check_positions(uint64_t strings);
    void check_position(uint64_t number, uint64_t strings);
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
    std::vector<uint32_t> callers_;  // by position; kNoCaller where it has none that can be followed
};

}  // namespace tracelint::samply
