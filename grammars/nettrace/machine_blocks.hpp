// nettrace, section 4.3: the state machine of the blocks of version 6, and the rules about them.
#pragma once

#include "grammars/nettrace/machine_objects.hpp"

namespace tracelint::nettrace {

namespace plain_blocks {

enum class State : uint8_t { first_block, block, walked, stopped, count_ };
inline constexpr std::string_view kStateNames[] = {"first block", "block", "walked block", "stopped"};

enum class Symbol : uint8_t {
    end_of_file,
    cut_header,
    trace,
    end_of_stream,
    end_with_size,
    block,
    unknown_block,
    whole,
    left,
    cut,
    cut_in_doubt,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {"end of file",
                                                    "block header cut by the end of the file",
                                                    "Trace",
                                                    "end of stream",
                                                    "end of stream with a size",
                                                    "block of a known kind",
                                                    "block of an unknown kind",
                                                    "block was walked",
                                                    "block was left by a framing fault",
                                                    "block is cut by the end of the file",
                                                    "block in doubt is cut by the end of the file"};

}  // namespace plain_blocks

inline constexpr Rule kFirstObjectNotTrace{
    .id = "nettrace/first-object-not-trace",
    .severity = Severity::error,
    .statement = "the Trace comes first",
    .message = "the file does not begin with its Trace: no time of an event can be told",
    .why = "TraceEvent stops with an exception, other readers crash at the first event",
    .spec = "3.3 Trace; 4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
};

inline constexpr Rule kEndOfStreamSize{
    .id = "nettrace/end-of-stream-size",
    .severity = Severity::note,
    .statement = "the end of the stream is empty",
    .message = "the end of the stream has {0 byte|bytes}",
    .why = "readers do not look at it; a later version may use it",
    .spec = "3.2 Blocks of version 6",
    .since = "0.2.0",
};

inline constexpr Rule kUnknownBlockKind{
    .id = "nettrace/unknown-block-kind",
    .severity = Severity::warning,
    .statement = "a block is of a known kind",
    .message = "a block of kind {0}",
    .why = "readers skip it, and what it defines is missing",
    .spec = "3.2 Blocks of version 6",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::note,
                                          .when = "the minor version is above 0",
                                          .message = {},
                                          .why = "readers skip it; minor versions may add kinds"},
};

namespace plain_blocks {

inline constexpr uint32_t kBlocks = on(Symbol::end_of_file, Symbol::cut_header, Symbol::trace, Symbol::end_of_stream,
                                       Symbol::end_with_size, Symbol::block, Symbol::unknown_block);
inline constexpr uint32_t kWalked = on(Symbol::whole, Symbol::left, Symbol::cut, Symbol::cut_in_doubt);

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::first_block, on(Symbol::trace),         State::walked},
    {State::first_block, on(Symbol::end_of_file),   State::stopped, Recovery::stop,   &kMissingEndOfStream},
    {State::first_block, on(Symbol::cut_header),    State::stopped, Recovery::stop,   &kTruncatedObject},
    {State::first_block, on(Symbol::end_of_stream, Symbol::end_with_size, Symbol::block, Symbol::unknown_block),
                                                    State::block,   Recovery::again,  &kFirstObjectNotTrace},
    {State::first_block, kWalked,                   State::first_block, Recovery::impossible},

    {State::block,  on(Symbol::end_of_file),        State::stopped, Recovery::stop,   &kMissingEndOfStream},
    {State::block,  on(Symbol::cut_header),         State::stopped, Recovery::stop,   &kTruncatedObject},
    {State::block,  on(Symbol::trace),              State::walked,  Recovery::skip,   &kDuplicateTrace},
    {State::block,  on(Symbol::end_of_stream),      State::stopped, Recovery::stop},
    {State::block,  on(Symbol::end_with_size),      State::stopped, Recovery::stop,   &kEndOfStreamSize},
    {State::block,  on(Symbol::block),              State::walked},
    {State::block,  on(Symbol::unknown_block),      State::walked,  Recovery::skip,   &kUnknownBlockKind},
    {State::block,  kWalked,                        State::block,   Recovery::impossible},

    {State::walked, on(Symbol::whole, Symbol::left), State::block},
    {State::walked, on(Symbol::cut),                State::stopped, Recovery::stop,   &kTruncatedBlock},
    {State::walked, on(Symbol::cut_in_doubt),       State::stopped, Recovery::stop},
    {State::walked, kBlocks,                        State::walked,  Recovery::impossible},
};
// clang-format on

}  // namespace plain_blocks

inline constexpr auto kBlockMachine =
    make_machine(plain_blocks::kEdges, plain_blocks::State::first_block, plain_blocks::State::stopped);

inline constexpr RuleList kBlockMachineRules = rules<&kFirstObjectNotTrace, &kEndOfStreamSize, &kUnknownBlockKind>;

}  // namespace tracelint::nettrace
