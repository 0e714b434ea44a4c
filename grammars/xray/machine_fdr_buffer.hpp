// XRay, section 4.2: the state machine of a buffer of an FDR file, a table for each version, and the rules of edges.
#pragma once

#include "grammars/xray/records.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::xray {

// --- rules -------------------------------------------------------------------------------------------------

inline constexpr Rule kRecordOverrunsExtents{
    .id = "xray/record-overruns-extents",
    .severity = Severity::error,
    .statement = "the last record of a buffer ends where the buffer ends",
    .message = "the buffer ends {0 byte|bytes} into this record, which has at least {1}",
    .why = "llvm-xray refuses the whole file; the buffer's count or the size of an earlier record is wrong",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .depends_on = {.later_records = true, .resynchronisation = true},
};

inline constexpr Rule kTruncatedRecord{
    .id = "xray/truncated-record",
    .severity = Severity::error,
    .statement = "the last record of the file is complete",
    .message = "the file ends inside a record, after {0} of its {1} bytes",
    .why = "llvm-xray refuses the whole file; the writer was killed or did not flush",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kEventSizeNonpositive{
    .id = "xray/event-size-nonpositive",
    .severity = Severity::error,
    .statement = "the size of an event's payload is positive",
    .message = "the event has size {0d}; expected at least 1",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kEventPayloadOverrun{
    .id = "xray/event-payload-overrun",
    .severity = Severity::error,
    .statement = "the payload of an event ends within its buffer",
    .message = "the event's payload has {0 byte|bytes}, but only {1} are left",
    .why = "llvm-xray refuses the whole file; the event's size or the buffer's count is wrong",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kRecordOrder{
    .id = "xray/record-order",
    .severity = Severity::error,
    .statement = "a buffer begins with its preamble (NewBuffer, WallClock, Pid, NewCPUId), and its body follows",
    .message = "this record cannot follow the one before it in a buffer",
    .why =
        "llvm-xray refuses the whole file without naming an offset; at a BufferExtents it silently drops the rest "
        "of the buffer instead",
    .spec = "4.2 From record to record",
    .since = "0.1.0",
    .depends_on = {.later_records = true, .resynchronisation = true},
};

inline constexpr Rule kIncompletePreamble{
    .id = "xray/incomplete-preamble",
    .severity = Severity::error,
    .statement = "a buffer does not end before the NewCPUId that closes its preamble",
    .message = "the buffer ends inside its preamble (NewBuffer, WallClock, Pid, NewCPUId)",
    .why = "llvm-xray refuses the whole file",
    .spec = "4.2 From record to record",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kMissingPidRecord{
    .id = "xray/missing-pid-record",
    .severity = Severity::warning,
    .statement = "from version 3 on, a Pid comes between WallClock and NewCPUId",
    .message = "NewCPUId follows WallClock directly; expected a Pid between them",
    .why = "LLVM 8 and later assign the thread to process 0; LLVM 7 refuses the file",
    .spec = "3.4.10 Pid Records; 4.2 From record to record",
    .since = "0.1.0",
};

inline constexpr Rule kRecordKindNotInVersion{
    .id = "xray/record-kind-not-in-version",
    .severity = Severity::error,
    .statement = "a record is of a kind that the file's version has",
    .message = "EndOfBuffer exists in version 1 only; this file has version {0}",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.4 Metadata Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
    .severity_override =
        SeverityOverride{.severity = Severity::warning,
                         .when = "the record is of a later version and can be skipped",
                         .message = "the record is of a kind introduced after version {0}, which this file has",
                         .why = "readers of that version refuse the file; newer ones accept the record"},
};

inline constexpr Rule kUnknownRecordKind{
    .id = "xray/unknown-record-kind",
    .severity = Severity::error,
    .statement = "the kind of a metadata record is 0 to 9",
    .message = "metadata kind {0} does not exist",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.4 Metadata Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kUnknownFunctionAction{
    .id = "xray/unknown-function-action",
    .severity = Severity::error,
    .statement = "the action of a function record is 0 to 3",
    .message = "function action {0} does not exist",
    .why = "llvm-xray refuses the whole file; usually other bytes are being read as records",
    .spec = "3.3 Function Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kCallArgWithoutEntry{
    .id = "xray/call-arg-without-entry",
    .severity = Severity::error,
    .statement = "a CallArgument follows an Entry, an Entry_Args or another CallArgument",
    .message = "CallArgument does not follow a function entry",
    .why = "llvm-xray turns the Exit before it into an entry with arguments, or refuses the file",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0",
};

inline constexpr Rule kCallArgAfterPlainEntry{
    .id = "xray/call-arg-after-plain-entry",
    .severity = Severity::note,
    .statement = "in version 5, the entry before a CallArgument is an Entry_Args",
    .message = "CallArgument follows a plain Entry, as in versions before 5",
    .why = "readers accept it; the runtime of version 5 writes Entry_Args",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0",
};

inline constexpr Rule kEntryArgsWithoutArg{
    .id = "xray/entry-args-without-arg",
    .severity = Severity::note,
    .statement = "in version 5, a CallArgument follows each Entry_Args",
    .message = "no CallArgument follows this Entry_Args",
    .why = "readers accept it; the runtime of version 5 writes exactly one argument",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::warning, "the buffer ends right after it",
                         "no CallArgument follows this Entry_Args: the buffer ends right after it",
                         "before LLVM 8 a call was counted before its argument, which is not in the buffer"},
};

inline constexpr Rule kEobMissing{
    .id = "xray/eob-missing",
    .severity = Severity::error,
    .statement = "in version 1, a buffer ends with EndOfBuffer",
    .message = "the buffer ends without EndOfBuffer",
    .why = "LLVM 5 to 7 refuse the file; later versions accept it",
    .spec = "3.4.2 EndOfBuffer Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

// --- states and symbols --------------------------------------------------------------------------------------

// The record taken last, and how far the walk can be trusted.
enum class Phase : uint8_t {
    // the preamble
    start,
    new_buffer,
    wall_clock,
    pid,
    // the body
    body,  // after NewCPUId, TSCWrap, Exit and events
    after_entry,
    after_entry_args,
    after_arg,
    // Muted: a record of the preamble was reported as out of order. Further ones are accepted silently, as one swapped
    // or missing record would otherwise be reported several times.
    muted_new_buffer,
    muted_wall_clock,  // also after Pid
    muted_body,
    muted_after_entry,
    muted_after_entry_args,
    muted_after_arg,
    // In doubt: after an event of size 0. The runtime may have written bytes for it, so the walk may be out of step:
    // nothing is checked, and the first record that is illegal ends the buffer silently.
    doubtful_body,
    doubtful_after_call,  // after Entry, Entry_Args and CallArgument
    muted_doubtful_new_buffer,
    muted_doubtful_wall_clock,
    muted_doubtful_body,
    muted_doubtful_after_call,
    over,  // the buffer has ended or was left
    count_,
};
inline constexpr std::string_view kPhaseNames[] = {"start",
                                                   "NewBuffer",
                                                   "WallClock",
                                                   "Pid",
                                                   "body",
                                                   "after entry",
                                                   "after entry args",
                                                   "after argument",
                                                   "muted NewBuffer",
                                                   "muted WallClock or Pid",
                                                   "muted body",
                                                   "muted after entry",
                                                   "muted after entry args",
                                                   "muted after argument",
                                                   "in doubt, body",
                                                   "in doubt, after call",
                                                   "in doubt, muted NewBuffer",
                                                   "in doubt, muted WallClock or Pid",
                                                   "in doubt, muted body",
                                                   "in doubt, muted after call",
                                                   "over"};

enum class Symbol : uint8_t {
    // records; section 4.2 abbreviates them by the letters
    extents,        // X that is not plausible
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
    // records of another version
    later_record,    // X in version 1, P in versions 1 and 2
    later_event,     // Y in the body of a buffer of versions 1 and 2
    earlier_record,  // Z from version 2 on
    // not a record
    unknown_kind,
    unknown_action,
    // any of the above in place of a preamble record, where the record due after that one follows 16 bytes later
    damaged_record,
    damaged_by_earlier_record,
    damaged_kind,
    damaged_action,
    // an event whose size is at fault
    empty_event,        // U or Y of size 0
    empty_later_event,  // a later_event of size 0
    negative_event,     // of a negative size
    overrunning_event,  // its payload crosses the end of the buffer
    // a plausible BufferExtents before the buffer's end
    next_buffer,
    next_buffer_after_fault,  // the buffer's count or its preamble was reported
    // the end
    record_overrun,  // the fixed part of a record crosses the end that the buffer claims
    cut_record,      // the file ends in the fixed part, in a buffer without claimed end
    cut,             // the file ends before the buffer does
    end,             // the buffer ends between two records
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {"BufferExtents",
                                                    "NewBuffer",
                                                    "WallClock",
                                                    "Pid",
                                                    "NewCPUId",
                                                    "TSCWrap",
                                                    "Entry",
                                                    "Entry_Args",
                                                    "Exit",
                                                    "CallArgument",
                                                    "CustomEvent",
                                                    "TypedEvent",
                                                    "EndOfBuffer",
                                                    "record of a later version",
                                                    "event of a later version",
                                                    "EndOfBuffer after version 1",
                                                    "unknown kind",
                                                    "unknown action",
                                                    "damaged record",
                                                    "damaged record (EndOfBuffer)",
                                                    "damaged record (unknown kind)",
                                                    "damaged record (unknown action)",
                                                    "event of size 0",
                                                    "event of a later version and size 0",
                                                    "event of negative size",
                                                    "event beyond the buffer's end",
                                                    "next buffer",
                                                    "next buffer, after a fault",
                                                    "record beyond the buffer's end",
                                                    "record cut by the file's end",
                                                    "buffer cut by the file's end",
                                                    "buffer end"};

constexpr bool is_between(Phase first, Phase phase, Phase last) { return first <= phase && phase <= last; }
constexpr bool is_in_doubt(Phase phase) {
    return is_between(Phase::doubtful_body, phase, Phase::muted_doubtful_after_call);
}
constexpr bool is_preamble(Phase phase) {
    return phase <= Phase::pid || is_between(Phase::muted_new_buffer, phase, Phase::muted_wall_clock) ||
           is_between(Phase::muted_doubtful_new_buffer, phase, Phase::muted_doubtful_wall_clock);
}
// A state of the body in which nothing was at fault that the walk has to remember.
constexpr bool is_sound_body(Phase phase) { return is_between(Phase::body, phase, Phase::after_arg); }
constexpr bool is_muted(Phase phase) {
    return is_between(Phase::muted_new_buffer, phase, Phase::muted_after_arg) ||
           is_between(Phase::muted_doubtful_new_buffer, phase, Phase::muted_doubtful_after_call);
}

constexpr bool is_function(Symbol symbol) {
    return symbol == Symbol::entry || symbol == Symbol::entry_args || symbol == Symbol::exit;
}
constexpr bool is_event(Symbol symbol) { return symbol == Symbol::custom_event || symbol == Symbol::typed_event; }

// --- the tables ----------------------------------------------------------------------------------------------

class BufferWalk;

// Finds where the input at the cursor breaks the rule of an edge, with the numbers of its message and a hint. The walk
// is still in the state before the edge.
using PlaceInBuffer = void (*)(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
struct PlacesInBuffer {
    static void record(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void misplaced(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void last_call(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void kind(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void action(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void version(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void later_version(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void cut_record(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void overrunning_record(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void negative_size(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void empty_event(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void payload(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
    static void end(const BufferWalk& walk, Symbol symbol, Diagnostic& finding);
};

namespace buffer_rows {

using P = Phase;
using S = Symbol;
using At = PlacesInBuffer;

// Where an edge leads to, by the state and symbol that it is for.
using Next = Phase (*)(Phase from, Symbol on);

constexpr Phase of_record(Phase, Symbol on) {
    switch (on) {
        case S::new_buffer: return P::new_buffer;
        case S::wall_clock: return P::wall_clock;
        case S::pid: return P::pid;
        case S::entry: return P::after_entry;
        case S::entry_args: return P::after_entry_args;
        case S::call_argument: return P::after_arg;
        case S::end_of_buffer: return P::over;
        default: return P::body;
    }
}
constexpr Phase muted(Phase from, Symbol on) {
    switch (of_record(from, on)) {
        case P::new_buffer: return P::muted_new_buffer;
        case P::wall_clock:
        case P::pid: return P::muted_wall_clock;
        case P::body: return P::muted_body;
        case P::after_entry: return P::muted_after_entry;
        case P::after_entry_args: return P::muted_after_entry_args;
        case P::after_arg: return P::muted_after_arg;
        default: return P::over;
    }
}
constexpr Phase same(Phase from, Symbol) { return from; }
constexpr Phase over(Phase, Symbol) { return P::over; }
constexpr Phase body(Phase, Symbol) { return P::body; }
constexpr Phase muted_body(Phase, Symbol) { return P::muted_body; }

// The state of the same name in which the walk is in doubt.
constexpr Phase same_in_doubt(Phase from, Symbol) {
    switch (from) {
        case P::body: return P::doubtful_body;
        case P::after_entry:
        case P::after_entry_args:
        case P::after_arg: return P::doubtful_after_call;
        case P::muted_new_buffer: return P::muted_doubtful_new_buffer;
        case P::muted_wall_clock: return P::muted_doubtful_wall_clock;
        case P::muted_body: return P::muted_doubtful_body;
        case P::muted_after_entry:
        case P::muted_after_entry_args:
        case P::muted_after_arg: return P::muted_doubtful_after_call;
        default: return P::over;
    }
}
constexpr Phase body_in_doubt(Phase, Symbol) { return P::doubtful_body; }
constexpr Phase muted_body_in_doubt(Phase, Symbol) { return P::muted_doubtful_body; }
// The way back. Where several states have one name in doubt, it is the one without rules of its own.
constexpr Phase without_doubt(Phase doubtful) {
    switch (doubtful) {
        case P::doubtful_body: return P::body;
        case P::doubtful_after_call: return P::after_arg;
        case P::muted_doubtful_new_buffer: return P::muted_new_buffer;
        case P::muted_doubtful_wall_clock: return P::muted_wall_clock;
        case P::muted_doubtful_body: return P::muted_body;
        default: return P::muted_after_arg;
    }
}

// The damaged record counts as the one that is due.
constexpr Phase as_if_due(Phase from, Symbol) {
    switch (from) {
        case P::start: return P::new_buffer;
        case P::new_buffer: return P::wall_clock;
        default: return P::pid;
    }
}

// Edges of several states, symbols and versions at once.
struct Row {
    uint32_t from;  // a set of states, made by in()
    uint32_t on;    // a set of symbols
    Next next;
    Recovery recovery = Recovery::accept;
    const Rule* rule = nullptr;
    PlaceInBuffer place = nullptr;
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

inline constexpr uint32_t kPreamble = in(P::start, P::new_buffer, P::wall_clock, P::pid);
inline constexpr uint32_t kBody = in(P::body, P::after_entry, P::after_entry_args, P::after_arg);
inline constexpr uint32_t kMutedPreamble = in(P::muted_new_buffer, P::muted_wall_clock);
inline constexpr uint32_t kMutedBody =
    in(P::muted_body, P::muted_after_entry, P::muted_after_entry_args, P::muted_after_arg);
inline constexpr uint32_t kAnyBody = kBody | kMutedBody;
inline constexpr uint32_t kAnywhere = kPreamble | kMutedPreamble | kAnyBody;

inline constexpr uint32_t kAllSymbols = ~uint32_t{0};
inline constexpr uint32_t kOfPreamble = on(S::new_buffer, S::wall_clock, S::pid);  // NewCPUId is also in the body
inline constexpr uint32_t kOfBody =
    on(S::cpu_id, S::tsc_wrap, S::entry, S::entry_args, S::exit, S::custom_event, S::typed_event);
inline constexpr uint32_t kRecords = kOfPreamble | kOfBody | on(S::call_argument, S::end_of_buffer);

// The first row that covers a pair counts. The steps are those of section 4.2.
// clang-format off
inline constexpr Row kRows[] = {
    // what a version does not have
    Row{in(P::pid), kAllSymbols,                 over, Recovery::impossible}.until(2),
    Row{kAnywhere, on(S::extents, S::next_buffer, S::next_buffer_after_fault, S::earlier_record,
                      S::damaged_by_earlier_record), over, Recovery::impossible}.until(1),
    Row{kAnywhere, on(S::end_of_buffer),         over, Recovery::impossible}.since(2),
    Row{kAnywhere, on(S::pid),                   over, Recovery::impossible}.until(2),
    Row{kAnyBody,  on(S::typed_event),           over, Recovery::impossible}.until(2),
    Row{kAnywhere, on(S::later_record, S::later_event, S::empty_later_event, S::cut_record),
                                                 over, Recovery::impossible}.since(3),

    // before all steps: the end, and where the next buffer begins
    {kAnywhere, on(S::cut),                      over, Recovery::stop},
    {kAnywhere, on(S::next_buffer),              over, Recovery::stop, &kRecordOrder, At::record},
    {kAnywhere, on(S::next_buffer_after_fault),  over, Recovery::stop},
    {kPreamble, on(S::end),                      over, Recovery::stop, &kIncompletePreamble, At::end},
    {kMutedPreamble, on(S::end),                 over, Recovery::stop},
    Row{kAnyBody, on(S::end),                    over, Recovery::stop, &kEobMissing, At::end}.until(1),
    Row{in(P::after_entry_args), on(S::end),       body, Recovery::again, &kEntryArgsWithoutArg, At::last_call}.since(5),
    Row{in(P::muted_after_entry_args), on(S::end), muted_body, Recovery::again, &kEntryArgsWithoutArg, At::last_call}.since(5),
    {kAnyBody, on(S::end),                       over, Recovery::stop},

    // steps 1 and 2
    {kAnywhere, on(S::unknown_kind),             over, Recovery::stop, &kUnknownRecordKind, At::kind},
    {kAnywhere, on(S::unknown_action),           over, Recovery::stop, &kUnknownFunctionAction, At::action},
    {kAnywhere, on(S::record_overrun),           over, Recovery::stop, &kRecordOverrunsExtents, At::overrunning_record},
    {kAnywhere, on(S::cut_record),               over, Recovery::stop, &kTruncatedRecord, At::cut_record},

    // step 3: not of the version
    {kAnywhere, on(S::later_record),             same, Recovery::skip, &kRecordKindNotInVersion, At::later_version},
    {kAnyBody, on(S::later_event),               same, Recovery::skip, &kRecordKindNotInVersion, At::later_version},
    {kAnyBody, on(S::empty_later_event),         same_in_doubt, Recovery::skip, &kEventSizeNonpositive, At::empty_event},
    {kAnywhere, on(S::later_event, S::empty_later_event), over, Recovery::impossible},
    {kAnywhere, on(S::earlier_record),           over, Recovery::stop, &kRecordKindNotInVersion, At::version},

    // step 4
    {kAnywhere, on(S::extents),                  over, Recovery::stop, &kRecordOrder, At::misplaced},
    {in(P::body), on(S::call_argument),          of_record, Recovery::skip, &kCallArgWithoutEntry, At::misplaced},
    {in(P::muted_body), on(S::call_argument),    muted, Recovery::skip, &kCallArgWithoutEntry, At::misplaced},

    // the preamble: what is due
    {in(P::start), on(S::new_buffer),            of_record},
    {in(P::new_buffer), on(S::wall_clock),       of_record},
    Row{in(P::wall_clock), on(S::cpu_id),        of_record}.until(2),
    Row{in(P::wall_clock), on(S::pid),           of_record}.since(3),
    Row{in(P::wall_clock), on(S::cpu_id),        of_record, Recovery::accept, &kMissingPidRecord, At::record}.since(3),
    {in(P::pid), on(S::cpu_id),                  of_record},
    // step 5: another record of it, and anything else
    {kPreamble, kOfPreamble | on(S::cpu_id),     muted, Recovery::skip, &kRecordOrder, At::misplaced},
    {kPreamble, kRecords,                        over, Recovery::stop, &kRecordOrder, At::misplaced},
    Row{in(P::wall_clock), on(S::damaged_record, S::damaged_kind, S::damaged_action, S::damaged_by_earlier_record),
                                                 over, Recovery::impossible}.until(2),
    {in(P::start, P::new_buffer, P::wall_clock), on(S::damaged_record),  as_if_due, Recovery::skip, &kRecordOrder, At::misplaced},
    {in(P::start, P::new_buffer, P::wall_clock), on(S::damaged_kind),    as_if_due, Recovery::skip, &kUnknownRecordKind, At::kind},
    {in(P::start, P::new_buffer, P::wall_clock), on(S::damaged_action),  as_if_due, Recovery::skip, &kUnknownFunctionAction, At::action},
    {in(P::start, P::new_buffer, P::wall_clock), on(S::damaged_by_earlier_record),
                                                 as_if_due, Recovery::skip, &kRecordKindNotInVersion, At::version},
    {kAnywhere, on(S::damaged_record, S::damaged_kind, S::damaged_action, S::damaged_by_earlier_record),
                                                 over, Recovery::impossible},
    // muted, everything that is illegal is accepted; a legal record that leads into the body ends it
    {in(P::muted_wall_clock), on(S::cpu_id),     of_record},
    {kMutedPreamble, kRecords,                   muted},

    // step 6
    {kPreamble, on(S::empty_event, S::negative_event, S::overrunning_event), over, Recovery::impossible},
    {kMutedPreamble, on(S::empty_event),         muted_body_in_doubt, Recovery::skip, &kEventSizeNonpositive, At::empty_event},
    {kAnyBody, on(S::empty_event),               body_in_doubt, Recovery::skip, &kEventSizeNonpositive, At::empty_event},
    {kAnywhere, on(S::negative_event),           over, Recovery::stop, &kEventSizeNonpositive, At::negative_size},
    {kAnywhere, on(S::overrunning_event),        over, Recovery::stop, &kEventPayloadOverrun, At::payload},

    // the body
    {kMutedBody, kOfPreamble,                    muted},
    {kBody, kOfPreamble,                         over, Recovery::stop, &kRecordOrder, At::misplaced},
    Row{in(P::after_entry, P::muted_after_entry), on(S::call_argument),
                                                 of_record, Recovery::accept, &kCallArgAfterPlainEntry, At::record}.since(5),
    Row{in(P::after_entry_args), kOfBody,        body, Recovery::again, &kEntryArgsWithoutArg, At::last_call}.since(5),
    Row{in(P::muted_after_entry_args), kOfBody,  muted_body, Recovery::again, &kEntryArgsWithoutArg, At::last_call}.since(5),
    {kAnyBody, kOfBody | on(S::call_argument, S::end_of_buffer), of_record},
};
// clang-format on

using BufferEdge = Edge<Phase, Symbol, PlaceInBuffer>;

consteval BufferEdge edge_of(Phase state, Symbol symbol, uint16_t version) {
    for (const Row& row : kRows)
        if (row.covers(state, symbol, version))
            return {
                state,    uint32_t{1} << static_cast<unsigned>(symbol), row.next(state, symbol), row.recovery, row.rule,
                row.place};
    throw "no row covers a pair";
}

// In doubt, what is legal is skipped unchecked, and anything else leaves the buffer silently.
consteval BufferEdge doubtful_edge_of(Phase state, Symbol symbol, uint16_t version) {
    BufferEdge edge = edge_of(without_doubt(state), symbol, version);
    edge.from = state;
    if (edge.recovery == Recovery::accept)
        edge = {state, edge.on, edge.to == P::over ? P::over : same_in_doubt(edge.to, symbol), Recovery::skip};
    else if (edge.recovery != Recovery::impossible)
        edge = {state, edge.on, P::over, Recovery::stop};
    return edge;
}

struct Edges {
    BufferEdge list[static_cast<size_t>(Phase::over) * static_cast<size_t>(Symbol::count_)];
};
consteval Edges edges_of(uint16_t version) {
    Edges edges{};
    size_t at = 0;
    for (uint8_t state = 0; state < static_cast<uint8_t>(Phase::over); ++state)
        for (uint8_t symbol = 0; symbol < static_cast<uint8_t>(Symbol::count_); ++symbol)
            edges.list[at++] = is_in_doubt(Phase{state}) ? doubtful_edge_of(Phase{state}, Symbol{symbol}, version)
                                                         : edge_of(Phase{state}, Symbol{symbol}, version);
    return edges;
}

}  // namespace buffer_rows

using BufferMachine = Machine<Phase, Symbol, PlaceInBuffer>;
template <uint16_t Version>
inline constexpr BufferMachine kMachine = make_machine(buffer_rows::edges_of(Version).list, Phase::start, Phase::over);

inline constexpr RuleList kBufferMachineRules =
    rules<&kRecordOverrunsExtents, &kTruncatedRecord, &kEventSizeNonpositive, &kEventPayloadOverrun, &kRecordOrder,
          &kIncompletePreamble, &kMissingPidRecord, &kRecordKindNotInVersion, &kUnknownRecordKind,
          &kUnknownFunctionAction, &kCallArgWithoutEntry, &kCallArgAfterPlainEntry, &kEntryArgsWithoutArg,
          &kEobMissing>;

}  // namespace tracelint::xray
