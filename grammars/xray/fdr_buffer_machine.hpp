// xray, section 4.2: the state machine of one buffer. What a version has is a matter of since and until.
#pragma once

#include "grammars/xray/record_rules.hpp"
#include "grammars/xray/records.hpp"
#include "validator/machine.hpp"

namespace tracelint::xray {

enum class Phase : uint8_t {
    // the preamble
    start,
    new_buffer,
    wall_clock,
    pid,
    // the body
    body,              // behind NewCPUId, TSCWrap, Exit and events
    after_entry,       // behind Entry
    after_entry_args,  // behind Entry_Args
    after_arg,         // behind CallArgument
    over,              // behind EndOfBuffer, the buffer's end, or what cannot be stepped over
    count_,
};
inline constexpr std::string_view kPhaseNames[] = {"start",       "NewBuffer",        "WallClock",      "Pid", "body",
                                                   "after entry", "after entry args", "after argument", "over"};

constexpr bool is_preamble(Phase phase) { return phase < Phase::body; }

enum class Symbol : uint8_t {
    // records; the letters are those of the digest
    extents,        // X
    new_buffer,     // N
    wall_clock,     // W
    pid,            // P
    cpu_id,         // C
    tsc_wrap,       // T
    entry,          // E
    entry_args,     // A
    exit,           // R, tail exits included
    call_argument,  // G
    custom_event,   // U
    typed_event,    // Y
    end_of_buffer,  // Z
    // what is no record
    unknown_kind,
    unknown_action,
    end,  // the buffer ends as it should
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {"BufferExtents", "NewBuffer",    "WallClock",      "Pid",
                                                    "NewCPUId",      "TSCWrap",      "Entry",          "Entry_Args",
                                                    "Exit",          "CallArgument", "CustomEvent",    "TypedEvent",
                                                    "EndOfBuffer",   "unknown kind", "unknown action", "buffer end"};

// Where a record leads to, whether it is due or not.
constexpr Phase phase_after(Symbol symbol) {
    switch (symbol) {
        case Symbol::new_buffer: return Phase::new_buffer;
        case Symbol::wall_clock: return Phase::wall_clock;
        case Symbol::pid: return Phase::pid;
        case Symbol::entry: return Phase::after_entry;
        case Symbol::entry_args: return Phase::after_entry_args;
        case Symbol::call_argument: return Phase::after_arg;
        case Symbol::end_of_buffer: return Phase::over;
        default: return Phase::body;
    }
}

namespace rows {

// What several pairs of state and symbol have in common.
struct Row {
    enum class Next : uint8_t { of_record, same, over };

    uint32_t from;  // a set of states, made by in()
    uint32_t on;    // a set of symbols
    Next next;
    Recovery recovery = Recovery::accept;
    const Rule* rule = nullptr;
    uint16_t first_version = 0, last_version = kEveryVersion;

    constexpr Row since(uint16_t version) const {
        Row copy = *this;
        copy.first_version = version;
        return copy;
    }
    constexpr Row until(uint16_t version) const {
        Row copy = *this;
        copy.last_version = version;
        return copy;
    }
    constexpr bool covers(Phase state, Symbol symbol, uint16_t version) const {
        return (from >> static_cast<unsigned>(state) & 1) != 0 && (on >> static_cast<unsigned>(symbol) & 1) != 0 &&
               first_version <= version && version <= last_version;
    }
};

template <class... States>
consteval uint32_t in(States... states) {
    return ((uint32_t{1} << static_cast<unsigned>(states)) | ...);
}

using enum Symbol;
using enum Row::Next;

// The record cannot stand here (4.2 "foreign"): the buffer is left, unless it is but a damaged preamble record.
inline constexpr Recovery kForeign = Recovery::stop;

inline constexpr uint32_t kPreamble = in(Phase::start, Phase::new_buffer, Phase::wall_clock, Phase::pid);
inline constexpr uint32_t kBody = in(Phase::body, Phase::after_entry, Phase::after_entry_args, Phase::after_arg);
inline constexpr uint32_t kAnywhere = kPreamble | kBody;
inline constexpr uint32_t kAllSymbols = ~uint32_t{0};
inline constexpr uint32_t kBodyRecords = on(cpu_id, tsc_wrap, entry, entry_args, exit, custom_event, typed_event);

// The first row that covers a pair counts.
// clang-format off
inline constexpr Row kRows[] = {
    Row{in(Phase::pid), kAllSymbols, over, Recovery::impossible}.until(2),

    // steps 1 and 3: not of the version
    {kAnywhere, on(unknown_kind),          over, kForeign, &kUnknownRecordKind},
    {kAnywhere, on(unknown_action),        over, kForeign, &kUnknownFunctionAction},
    Row{kAnywhere, on(extents),            same, Recovery::skip, &kRecordKindNotInVersion}.until(1),
    Row{kAnywhere, on(Symbol::pid),        same, Recovery::skip, &kRecordKindNotInVersion}.until(2),
    Row{kBody, on(typed_event),            same, Recovery::skip, &kRecordKindNotInVersion}.until(2),
    Row{kAnywhere, on(end_of_buffer),      over, kForeign, &kRecordKindNotInVersion}.since(2),

    // step 4
    {kAnywhere, on(extents),               over, kForeign, &kRecordOrder},
    {in(Phase::body), on(call_argument),   of_record, Recovery::skip, &kCallArgWithoutEntry},

    // the preamble: what is due
    {in(Phase::start),      on(Symbol::new_buffer), of_record},
    {in(Phase::new_buffer), on(Symbol::wall_clock), of_record},
    Row{in(Phase::wall_clock), on(cpu_id),          of_record}.until(2),
    Row{in(Phase::wall_clock), on(Symbol::pid),     of_record}.since(3),
    Row{in(Phase::wall_clock), on(cpu_id),          of_record, Recovery::accept, &kMissingPidRecord}.since(3),
    {in(Phase::pid),        on(cpu_id),             of_record},
    // step 5: another record of it, and anything else
    {kPreamble, on(Symbol::new_buffer, Symbol::wall_clock, Symbol::pid, cpu_id), of_record, Recovery::skip, &kRecordOrder},
    {kPreamble, kBodyRecords | on(call_argument, end_of_buffer), over, kForeign, &kRecordOrder},
    {kPreamble, on(end),                   over, Recovery::stop, &kIncompletePreamble},

    // the body
    Row{in(Phase::after_entry), on(call_argument),     of_record, Recovery::accept, &kCallArgAfterPlainEntry}.since(5),
    Row{in(Phase::after_entry_args), kBodyRecords,     of_record, Recovery::accept, &kEntryArgsWithoutArg}.since(5),
    Row{in(Phase::after_entry_args), on(end),          over, Recovery::accept, &kEntryArgsWithoutArg}.since(5),
    {kBody, kBodyRecords | on(call_argument),          of_record},
    {kBody, on(end_of_buffer),             over},  // version 1
    {kBody, on(Symbol::new_buffer, Symbol::wall_clock, Symbol::pid), over, kForeign, &kRecordOrder},
    Row{kBody, on(end),                    over, Recovery::stop, &kEobMissing}.until(1),
    {kBody, on(end),                       over},
};
// clang-format on

using BufferEdge = Edge<Phase, Symbol>;
inline constexpr size_t kPairs = static_cast<size_t>(Phase::over) * static_cast<size_t>(Symbol::count_);
struct Edges {
    BufferEdge list[kPairs];
};

consteval BufferEdge edge_of(Phase state, Symbol symbol, uint16_t version) {
    for (const Row& row : kRows) {
        if (!row.covers(state, symbol, version)) continue;
        const Phase next = row.next == over ? Phase::over : row.next == same ? state : phase_after(symbol);
        return {state, uint32_t{1} << static_cast<unsigned>(symbol), next, row.recovery, row.rule};
    }
    throw "no row covers a pair";
}

consteval Edges edges_of(uint16_t version) {
    Edges edges{};
    size_t at = 0;
    for (uint8_t state = 0; state < static_cast<uint8_t>(Phase::over); ++state)
        for (uint8_t symbol = 0; symbol < static_cast<uint8_t>(Symbol::count_); ++symbol)
            edges.list[at++] = edge_of(Phase{state}, Symbol{symbol}, version);
    return edges;
}

}  // namespace rows
using rows::BufferEdge;

template <uint16_t Version>
inline constexpr auto kMachine = make_machine(rows::edges_of(Version).list, Phase::start, Phase::over);

// The symbol that a record's first byte stands for (3.3, 3.4).
consteval std::array<Symbol, 256> symbols_of(ByteOrder order) {
    constexpr Symbol kOfKind[] = {
        Symbol::new_buffer,   Symbol::end_of_buffer, Symbol::cpu_id,  Symbol::tsc_wrap,    Symbol::wall_clock,
        Symbol::custom_event, Symbol::call_argument, Symbol::extents, Symbol::typed_event, Symbol::pid};
    constexpr Symbol kOfAction[] = {Symbol::entry, Symbol::exit, Symbol::exit, Symbol::entry_args};
    std::array<Symbol, 256> symbols{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto first = static_cast<uint8_t>(byte);
        const unsigned kind = kind_of(first, order), action = action_of(first, order);
        if (is_metadata(first, order))
            symbols[byte] = kind < std::size(kOfKind) ? kOfKind[kind] : Symbol::unknown_kind;
        else
            symbols[byte] = action < std::size(kOfAction) ? kOfAction[action] : Symbol::unknown_action;
    }
    return symbols;
}
template <ByteOrder Order>
inline constexpr auto kSymbols = symbols_of(Order);

constexpr bool is_function(Symbol symbol) {
    return symbol == Symbol::entry || symbol == Symbol::entry_args || symbol == Symbol::exit;
}
constexpr bool is_event(Symbol symbol) { return symbol == Symbol::custom_event || symbol == Symbol::typed_event; }

}  // namespace tracelint::xray
