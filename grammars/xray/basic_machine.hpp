// xray, section 3.5: which records may follow each other in basic mode, as a state machine.
#pragma once

#include "validator/machine.hpp"

namespace tracelint::xray {

inline constexpr Rule kBasicTruncatedRecord{
    .id = "xray/basic-truncated-record",
    .severity = Severity::error,
    .statement = "the last record of a basic file is whole",
    .message = "{0 byte is|bytes are} left at the end, and a record has 32",
    .why = "llvm-xray refuses the whole file, and blames a version number that is not in it",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kBasicUnknownRecordType{
    .id = "xray/basic-unknown-record-type",
    .severity = Severity::error,
    .statement = "the type of a basic record is 0 (function) or 1 (argument)",
    .message = "record type {0} does not exist",
    .why = "llvm-xray refuses the whole file; most often bytes before it are missing or too many",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicUnknownAction{
    .id = "xray/basic-unknown-action",
    .severity = Severity::error,
    .statement = "the action of a basic record is 0 to 3",
    .message = "action {0} does not exist",
    .why = "llvm-xray refuses the whole file; most often bytes before it are missing or too many",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicArgWithoutEntry{.id = "xray/basic-arg-without-entry",
                                            .severity = Severity::error,
                                            .statement = "an argument stands behind the entry of its function",
                                            .message = "an argument stands before all function records",
                                            .why = "llvm-xray 14 crashes, newer ones refuse the whole file",
                                            .spec = "3.5 Basic mode",
                                            .since = "0.1.0"};

inline constexpr Rule kBasicArgMismatch{
    .id = "xray/basic-arg-mismatch",
    .severity = Severity::error,
    .statement = "an argument has the function, thread and process of the function record before it",
    .message = "this field of the argument is {0}, and {1} in the function record before it",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicArgAfterExit{.id = "xray/basic-arg-after-exit",
                                         .severity = Severity::warning,
                                         .statement = "the function record before an argument is an entry",
                                         .message = "an argument follows the exit of its function",
                                         .why = "llvm-xray shows the exit with an argument, and says nothing",
                                         .spec = "3.5 Basic mode",
                                         .since = "0.1.0"};

inline constexpr Rule kBasicEntryArgsWithoutPayload{
    .id = "xray/basic-entry-args-without-payload",
    .severity = Severity::note,
    .statement = "an argument follows each entry with arguments (action 3)",
    .message = "no argument follows this entry with arguments",
    .why = "readers accept it; the runtime writes the argument right behind the entry",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

// What the last function record, and the arguments behind it, have to say about the next record.
enum class BasicPhase : uint8_t {
    start,         // there is none yet
    ownerless,     // nor is there one, and an argument was named for that
    entered,       // an entry
    due,           // an entry with arguments; none has come
    entered_else,  // an entry, and an argument behind it is another's
    left,          // an exit
    left_else,     // an exit, and an argument behind it was named
    faulty,        // the last record is none
    unjudged,      // arguments behind such a one: nobody can say whose they are
    stopped,
    count_,
};
inline constexpr std::string_view kBasicPhaseNames[] = {
    "start", "ownerless", "entered", "due", "entered, else's", "left", "left, else's", "faulty", "unjudged", "stopped"};

enum class BasicSymbol : uint8_t {
    entry,
    exit,  // tail exits included
    entry_args,
    argument,          // of the function, thread and process of the last function record
    foreign_argument,  // of others
    unknown_type,
    unknown_action,
    cut_record,
    end_of_file,
    count_,
};
inline constexpr std::string_view kBasicSymbolNames[] = {
    "entry",        "exit",           "entry with arguments", "argument",   "another's argument",
    "unknown type", "unknown action", "cut record",           "end of file"};

namespace basic_edges {

using enum BasicSymbol;
using BasicEdge = Edge<BasicPhase, BasicSymbol>;
using P = BasicPhase;

inline constexpr uint32_t kArguments = on(argument, foreign_argument);
inline constexpr uint32_t kUnknown = on(unknown_type, unknown_action);

// clang-format off

// Where a state has no edge of its own; `from` is any.
inline constexpr BasicEdge kAnywhere[] = {
    {P::start, on(entry),          P::entered},
    {P::start, on(exit),           P::left},
    {P::start, on(entry_args),     P::due},
    {P::start, on(unknown_type),   P::faulty,  Recovery::skip, &kBasicUnknownRecordType},
    {P::start, on(unknown_action), P::faulty,  Recovery::skip, &kBasicUnknownAction},
    {P::start, on(cut_record),     P::stopped, Recovery::stop, &kBasicTruncatedRecord},
    {P::start, on(end_of_file),    P::stopped, Recovery::stop},
};

inline constexpr BasicEdge kOwn[] = {
    {P::start,        kArguments,           P::ownerless,    Recovery::skip, &kBasicArgWithoutEntry},
    {P::ownerless,    kArguments,           P::ownerless,    Recovery::skip},

    {P::entered,      on(argument),         P::entered},
    {P::entered,      on(foreign_argument), P::entered_else, Recovery::skip, &kBasicArgMismatch},
    {P::entered_else, on(argument),         P::entered_else},
    {P::entered_else, on(foreign_argument), P::entered_else, Recovery::skip},

    {P::due,          on(argument),         P::entered},
    {P::due,          on(foreign_argument), P::entered_else, Recovery::skip, &kBasicArgMismatch},
    {P::due,          on(entry),            P::entered,      Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::due,          on(exit),             P::left,         Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::due,          on(entry_args),       P::due,          Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::due,          on(end_of_file),      P::stopped,      Recovery::stop,   &kBasicEntryArgsWithoutPayload},

    {P::left,         on(argument),         P::left_else,    Recovery::skip, &kBasicArgAfterExit},
    {P::left,         on(foreign_argument), P::left_else,    Recovery::skip, &kBasicArgMismatch},
    {P::left_else,    kArguments,           P::left_else,    Recovery::skip},

    {P::faulty,       kUnknown,             P::faulty,       Recovery::skip},
    {P::faulty,       kArguments,           P::unjudged,     Recovery::skip},
    {P::unjudged,     kArguments,           P::unjudged,     Recovery::skip},
};
// clang-format on

constexpr bool is_in(uint32_t set, size_t symbol) { return (set >> symbol & 1) != 0; }

struct Edges {
    BasicEdge list[static_cast<size_t>(P::stopped) * static_cast<size_t>(count_)];
};

consteval BasicEdge edge_of(P from, size_t symbol) {
    for (const BasicEdge& own : kOwn)
        if (own.from == from && is_in(own.on, symbol)) return own;
    for (BasicEdge common : kAnywhere) {
        common.from = from;
        if (is_in(common.on, symbol)) return common;
    }
    throw "a state has no edge for a symbol";
}

consteval Edges all_edges() {
    Edges all{};
    size_t at = 0;
    for (uint8_t from = 0; from < static_cast<uint8_t>(P::stopped); ++from)
        for (size_t symbol = 0; symbol < static_cast<size_t>(count_); ++symbol) {
            all.list[at] = edge_of(P{from}, symbol);
            all.list[at++].on = uint32_t{1} << symbol;
        }
    return all;
}

}  // namespace basic_edges

inline constexpr auto kBasicMachine =
    make_machine(basic_edges::all_edges().list, BasicPhase::start, BasicPhase::stopped);

inline constexpr const Rule* kBasicMachineRuleList[] = {
    &kBasicTruncatedRecord, &kBasicUnknownRecordType, &kBasicUnknownAction,          &kBasicArgWithoutEntry,
    &kBasicArgMismatch,     &kBasicArgAfterExit,      &kBasicEntryArgsWithoutPayload};
inline constexpr RuleList kBasicMachineRules{kBasicMachineRuleList};

}  // namespace tracelint::xray
