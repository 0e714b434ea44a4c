// XRay, sections 3.5 and 5.7: which records may follow each other in basic mode, as a state machine, and the rules that
// its edges raise.
#pragma once

#include "validator/tables/machine.hpp"

namespace tracelint::xray {

inline constexpr Rule kBasicTruncatedRecord{
    .id = "xray/basic-truncated-record",
    .severity = Severity::error,
    .statement = "the last record of a basic file is complete",
    .message = "{0 byte is|bytes are} left at the end of the file, but a record has 32",
    .why = "llvm-xray refuses the whole file, with a message about a version number that is not in it",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kBasicUnknownRecordType{
    .id = "xray/basic-unknown-record-type",
    .severity = Severity::error,
    .statement = "the type of a basic record is 0 (function) or 1 (argument)",
    .message = "record type {0} does not exist",
    .why = "llvm-xray refuses the whole file; usually bytes before the record are missing or surplus",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

inline constexpr Rule kBasicUnknownAction{
    .id = "xray/basic-unknown-action",
    .severity = Severity::error,
    .statement = "the action of a basic record is 0 to 3",
    .message = "action {0} does not exist",
    .why = "llvm-xray refuses the whole file; usually bytes before the record are missing or surplus",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

inline constexpr Rule kBasicArgWithoutEntry{
    .id = "xray/basic-arg-without-entry",
    .severity = Severity::error,
    .statement = "an argument follows the entry of its function",
    .message = "this argument precedes all function records",
    .why = "llvm-xray 14 crashes; newer versions refuse the whole file",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

inline constexpr Rule kBasicArgMismatch{
    .id = "xray/basic-arg-mismatch",
    .severity = Severity::error,
    .statement = "an argument has the function, thread and process of the function record before it",
    .message = "this field of the argument is {0}; expected {1}, as in the function record before it",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

inline constexpr Rule kBasicArgAfterExit{
    .id = "xray/basic-arg-after-exit",
    .severity = Severity::warning,
    .statement = "the function record before an argument is an entry",
    .message = "an argument follows the exit of its function",
    .why = "llvm-xray silently shows the exit with an argument",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
};

inline constexpr Rule kBasicEntryArgsWithoutPayload{
    .id = "xray/basic-entry-args-without-payload",
    .severity = Severity::note,
    .statement = "an argument follows each entry with arguments (action 3)",
    .message = "no argument follows this entry with arguments",
    .why = "readers accept it; the runtime writes the argument directly after the entry",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

// The last function record, and what followed it.
enum class BasicPhase : uint8_t {
    start,                // no entry yet
    start_reported,       // and an argument was reported for that
    entered,              // an entry
    argument_due,         // an entry with arguments; none has followed
    entered_after_other,  // an entry; an argument of another record was reported
    exited,               // an exit
    exited_reported,      // an exit; an argument was reported
    faulty,               // the last record has an unknown type or action
    faulty_arguments,     // arguments after such a one: whose they are is unknown
    stopped,
    count_,
};
inline constexpr std::string_view kBasicPhaseNames[] = {"start",
                                                        "start, reported",
                                                        "entered",
                                                        "argument due",
                                                        "entered, other's argument reported",
                                                        "exited",
                                                        "exited, argument reported",
                                                        "faulty record",
                                                        "arguments after faulty record",
                                                        "stopped"};

enum class BasicSymbol : uint8_t {
    entry,
    exit,  // tail exits included
    entry_args,
    first_argument,  // before all function records
    argument,        // of the function, thread and process of the last function record
    other_argument,  // of another function, thread or process
    unknown_type,
    unknown_action,
    cut_record,
    end_of_file,
    count_,
};
inline constexpr std::string_view kBasicSymbolNames[] = {"entry",
                                                         "exit",
                                                         "entry with arguments",
                                                         "argument before all functions",
                                                         "argument",
                                                         "other function's argument",
                                                         "unknown type",
                                                         "unknown action",
                                                         "cut record",
                                                         "end of file"};

constexpr bool is_argument(BasicSymbol symbol) {
    return BasicSymbol::first_argument <= symbol && symbol <= BasicSymbol::other_argument;
}

namespace basic_edges {

using enum BasicSymbol;
using BasicEdge = Edge<BasicPhase, BasicSymbol>;
using P = BasicPhase;

inline constexpr uint32_t kArguments = on(first_argument, argument, other_argument);
inline constexpr uint32_t kOwned = on(argument, other_argument);
inline constexpr uint32_t kUnknown = on(unknown_type, unknown_action);

// clang-format off

// Where a state has no edge of its own; `from` is any.
inline constexpr BasicEdge kAnywhere[] = {
    {P::start, on(entry),          P::entered},
    {P::start, on(exit),           P::exited},
    {P::start, on(entry_args),     P::argument_due},
    {P::start, on(first_argument), P::start,   Recovery::impossible},
    {P::start, on(unknown_type),   P::faulty,  Recovery::skip, &kBasicUnknownRecordType},
    {P::start, on(unknown_action), P::faulty,  Recovery::skip, &kBasicUnknownAction},
    {P::start, on(cut_record),     P::stopped, Recovery::stop, &kBasicTruncatedRecord},
    {P::start, on(end_of_file),    P::stopped, Recovery::stop},
};

inline constexpr BasicEdge kOwn[] = {
    {P::start,               on(first_argument), P::start_reported,      Recovery::skip, &kBasicArgWithoutEntry},
    {P::start,               kOwned,             P::start,               Recovery::impossible},
    {P::start_reported,      on(first_argument), P::start_reported,      Recovery::skip},
    {P::start_reported,      kOwned,             P::start_reported,      Recovery::impossible},

    {P::entered,             on(argument),       P::entered},
    {P::entered,             on(other_argument), P::entered_after_other, Recovery::skip, &kBasicArgMismatch},
    {P::entered_after_other, on(argument),       P::entered_after_other},
    {P::entered_after_other, on(other_argument), P::entered_after_other, Recovery::skip},

    {P::argument_due,        on(argument),       P::entered},
    {P::argument_due,        on(other_argument), P::entered_after_other, Recovery::skip, &kBasicArgMismatch},
    {P::argument_due,        on(entry),          P::entered,      Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::argument_due,        on(exit),           P::exited,       Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::argument_due,        on(entry_args),     P::argument_due, Recovery::accept, &kBasicEntryArgsWithoutPayload},
    {P::argument_due,        on(end_of_file),    P::stopped,      Recovery::stop,   &kBasicEntryArgsWithoutPayload},

    {P::exited,              on(argument),       P::exited_reported,     Recovery::skip, &kBasicArgAfterExit},
    {P::exited,              on(other_argument), P::exited_reported,     Recovery::skip, &kBasicArgMismatch},
    {P::exited_reported,     kOwned,             P::exited_reported,     Recovery::skip},

    {P::faulty,              kUnknown,           P::faulty,              Recovery::skip},
    {P::faulty,              kArguments,         P::faulty_arguments,    Recovery::skip},
    {P::faulty_arguments,    kArguments,         P::faulty_arguments,    Recovery::skip},
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

inline constexpr RuleList kBasicMachineRules =
    rules<&kBasicTruncatedRecord, &kBasicUnknownRecordType, &kBasicUnknownAction, &kBasicArgWithoutEntry,
          &kBasicArgMismatch, &kBasicArgAfterExit, &kBasicEntryArgsWithoutPayload>;

}  // namespace tracelint::xray
