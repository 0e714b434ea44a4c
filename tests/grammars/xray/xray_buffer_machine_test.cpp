// xray's machine of a buffer: every cell of its tables is what the steps of section 4.2 say. In the section a buffer is
// muted or in doubt whatever state it is in; the tables have a state of its own for each combination, more than files
// can be typed for.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "grammars/xray/machine_fdr_buffer.hpp"
#include "grammars/xray/records.hpp"

namespace tracelint::xray {
namespace {

using P = Phase;
using S = Symbol;

// A state as section 4.2 has it: one of its table, and two properties.
struct Situation {
    Phase state = P::start;
    bool muted = false;
    bool in_doubt = false;
    bool operator==(const Situation&) const = default;
};

struct Named {
    Phase phase;
    Situation is;
};
constexpr Named kSituations[] = {
    {P::start, {P::start}},
    {P::new_buffer, {P::new_buffer}},
    {P::wall_clock, {P::wall_clock}},
    {P::pid, {P::pid}},
    {P::body, {P::body}},
    {P::after_entry, {P::after_entry}},
    {P::after_entry_args, {P::after_entry_args}},
    {P::after_arg, {P::after_arg}},
    {P::muted_new_buffer, {.state = P::new_buffer, .muted = true}},
    {P::muted_wall_clock, {.state = P::wall_clock, .muted = true}},
    {P::muted_body, {.state = P::body, .muted = true}},
    {P::muted_after_entry, {.state = P::after_entry, .muted = true}},
    {P::muted_after_entry_args, {.state = P::after_entry_args, .muted = true}},
    {P::muted_after_arg, {.state = P::after_arg, .muted = true}},
    {P::doubtful_body, {.state = P::body, .in_doubt = true}},
    {P::doubtful_after_call, {.state = P::after_arg, .in_doubt = true}},
    {P::muted_doubtful_new_buffer, {.state = P::new_buffer, .muted = true, .in_doubt = true}},
    {P::muted_doubtful_wall_clock, {.state = P::wall_clock, .muted = true, .in_doubt = true}},
    {P::muted_doubtful_body, {.state = P::body, .muted = true, .in_doubt = true}},
    {P::muted_doubtful_after_call, {.state = P::after_arg, .muted = true, .in_doubt = true}},
    {P::over, {P::over}},
};
static_assert(std::size(kSituations) == static_cast<size_t>(P::count_));

Phase phase_of(Situation wanted) {
    if (wanted.state == P::over) return P::over;
    // The tables do not distinguish these, because the same may follow.
    if (wanted.muted && wanted.state == P::pid) wanted.state = P::wall_clock;
    const bool after_call = wanted.state == P::after_entry || wanted.state == P::after_entry_args;
    if (wanted.in_doubt && after_call) wanted.state = P::after_arg;
    const auto* const found = std::ranges::find(kSituations, wanted, &Named::is);
    REQUIRE(found != std::end(kSituations));
    return found->phase;
}

struct Decision {
    Recovery recovery;
    const Rule* rule;
    Situation next;
};

Decision leave(const Rule* rule) { return {Recovery::stop, rule, {P::over}}; }

bool is_in_preamble(const Situation& at) { return at.state <= P::pid; }
bool is_of_preamble(Symbol symbol) { return symbol == S::new_buffer || symbol == S::wall_clock || symbol == S::pid; }
bool is_damaged(Symbol symbol) { return S::damaged_record <= symbol && symbol <= S::damaged_action; }

// --- what cannot stand at the cursor -----------------------------------------------------------------------------

bool exists_in(Symbol symbol, uint16_t version) {
    switch (symbol) {
        // BufferExtents and what is of later versions than 1
        case S::extents:
        case S::next_buffer:
        case S::next_buffer_after_fault:
        case S::earlier_record:
        case S::damaged_by_earlier_record: return version >= 2;
        case S::end_of_buffer: return version == 1;
        case S::pid: return version >= 3;
        case S::later_record:
        case S::later_event:
        case S::empty_later_event:
        case S::cut_record: return version <= 2;  // only a buffer without BufferExtents has no claimed end
        default: return true;
    }
}

// Whether the walk may name the symbol in this state.
bool is_possible(const Situation& at, Symbol symbol, uint16_t version) {
    if (!exists_in(symbol, version)) return false;
    const bool sound_preamble = is_in_preamble(at) && !at.muted;
    // A record is due after the one that is due.
    const bool is_early =
        at.state == P::start || at.state == P::new_buffer || (at.state == P::wall_clock && version >= 3);
    if (is_damaged(symbol)) return sound_preamble && is_early;
    switch (symbol) {
        // In a preamble it is out of order in any version, in the body it is an event of a later one.
        case S::typed_event: return version >= 3 || is_in_preamble(at);
        case S::later_event:
        case S::empty_later_event: return !is_in_preamble(at);
        // The event itself is out of order there.
        case S::empty_event:
        case S::negative_event:
        case S::overrunning_event: return !sound_preamble;
        default: return true;
    }
}

// --- the steps ---------------------------------------------------------------------------------------------------

Phase state_after(Symbol record) {
    switch (record) {
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

// The column "legal next".
bool is_legal(Phase state, Symbol record) {
    switch (state) {
        case P::start: return record == S::new_buffer;
        case P::new_buffer: return record == S::wall_clock;
        case P::wall_clock: return record == S::pid || record == S::cpu_id;
        case P::pid: return record == S::cpu_id;
        case P::body: return !is_of_preamble(record) && record != S::call_argument;
        default: return !is_of_preamble(record);
    }
}

// The column "normal end of the buffer here".
Decision at_end(const Situation& at, uint16_t version) {
    if (is_in_preamble(at)) return leave(at.muted ? nullptr : &kIncompletePreamble);
    if (version == 1) return leave(&kEobMissing);
    if (at.state == P::after_entry_args && version >= 5)
        return {Recovery::again, &kEntryArgsWithoutArg, {P::body, at.muted}};
    return leave(nullptr);
}

// Step 5, for an illegal record.
Decision out_of_order(const Situation& at, Symbol record) {
    if (at.muted) return {Recovery::accept, nullptr, {.state = state_after(record), .muted = true}};
    const bool is_tolerated = is_in_preamble(at) && (is_of_preamble(record) || record == S::cpu_id);
    if (is_tolerated) return {Recovery::skip, &kRecordOrder, {.state = state_after(record), .muted = true}};
    return leave(&kRecordOrder);
}

// Step 7, and the rules of the table of states.
Decision in_order(const Situation& at, Symbol record, uint16_t version) {
    const Phase next = state_after(record);
    const bool into_body = !is_of_preamble(record);
    const Rule* rule = nullptr;
    if (at.state == P::wall_clock && record == S::cpu_id && version >= 3 && !at.muted) rule = &kMissingPidRecord;
    if (version >= 5 && at.state == P::after_entry && record == S::call_argument) rule = &kCallArgAfterPlainEntry;
    if (version >= 5 && at.state == P::after_entry_args && record != S::call_argument)
        return {Recovery::again, &kEntryArgsWithoutArg, {P::body, at.muted}};
    return {Recovery::accept, rule, {.state = next, .muted = at.muted && !into_body}};
}

// A damaged record of the preamble counts as the one that is due.
Decision taken_as_due(const Situation& at, const Rule* rule) {
    const Phase due = at.state == P::start ? P::new_buffer : at.state == P::new_buffer ? P::wall_clock : P::pid;
    return {Recovery::skip, rule, {due}};
}

Decision decide(const Situation& at, Symbol symbol, uint16_t version) {
    switch (symbol) {
        // the ends, and where the next buffer begins
        case S::cut:
        case S::next_buffer_after_fault: return leave(nullptr);
        case S::next_buffer: return leave(&kRecordOrder);
        case S::end: return at_end(at, version);
        // step 1
        case S::unknown_kind: return leave(&kUnknownRecordKind);
        case S::unknown_action: return leave(&kUnknownFunctionAction);
        case S::damaged_kind: return taken_as_due(at, &kUnknownRecordKind);
        case S::damaged_action: return taken_as_due(at, &kUnknownFunctionAction);
        // step 2
        case S::record_overrun: return leave(&kRecordOverrunsExtents);
        case S::cut_record: return leave(&kTruncatedRecord);
        // step 3
        case S::later_record:
        case S::later_event: return {Recovery::skip, &kRecordKindNotInVersion, at};
        case S::empty_later_event: return {Recovery::skip, &kEventSizeNonpositive, {at.state, at.muted, true}};
        case S::earlier_record: return leave(&kRecordKindNotInVersion);
        case S::damaged_by_earlier_record: return taken_as_due(at, &kRecordKindNotInVersion);
        // step 4
        case S::extents: return leave(&kRecordOrder);
        // step 6; an event in a muted preamble is illegal, so it does not clear muted
        case S::negative_event: return leave(&kEventSizeNonpositive);
        case S::overrunning_event: return leave(&kEventPayloadOverrun);
        case S::empty_event:
            return {Recovery::skip, &kEventSizeNonpositive, {P::body, at.muted && is_in_preamble(at), true}};
        case S::damaged_record: return taken_as_due(at, &kRecordOrder);
        default: break;
    }
    // step 4: further arguments of the run are silent
    if (symbol == S::call_argument && at.state == P::body)
        return {Recovery::skip, &kCallArgWithoutEntry, {P::after_arg, at.muted}};
    return is_legal(at.state, symbol) ? in_order(at, symbol, version) : out_of_order(at, symbol);
}

// In doubt, what is accepted otherwise is stepped over unchecked, and anything else leaves the buffer in silence.
Decision decide_in_doubt(const Situation& at, Symbol symbol, uint16_t version) {
    Decision decision = decide({at.state, at.muted}, symbol, version);
    if (decision.recovery != Recovery::accept) return leave(nullptr);
    decision.next.in_doubt = true;
    return {Recovery::skip, nullptr, decision.next};
}

// Pid is a state from version 3 on.
bool exists_in(const Situation& at, uint16_t version) { return at.state != P::pid || version >= 3; }

void check_cell(const BufferMachine& machine, const Named& from, Symbol symbol, uint16_t version) {
    CAPTURE(version);
    CAPTURE(kPhaseNames[static_cast<size_t>(from.phase)]);
    CAPTURE(kSymbolNames[static_cast<size_t>(symbol)]);
    const auto& edge = machine.at(from.phase, symbol);
    CHECK(is_possible(edge) == (exists_in(from.is, version) && is_possible(from.is, symbol, version)));
    if (!is_possible(edge)) return;
    const Decision wanted =
        from.is.in_doubt ? decide_in_doubt(from.is, symbol, version) : decide(from.is, symbol, version);
    CHECK(edge.recovery == wanted.recovery);
    CHECK(edge.rule == wanted.rule);
    CHECK(edge.to == phase_of(wanted.next));
}

}  // namespace

TEST_CASE("what is asked of a state of a buffer is what the state stands for") {
    for (const auto& [phase, is] : kSituations) {
        CAPTURE(kPhaseNames[static_cast<size_t>(phase)]);
        const bool in_body = !is_in_preamble(is) && phase != P::over;
        CHECK(is_preamble(phase) == is_in_preamble(is));
        CHECK(is_muted(phase) == is.muted);
        CHECK(is_in_doubt(phase) == is.in_doubt);
        CHECK(is_sound_body(phase) == (in_body && !is.muted && !is.in_doubt));
    }
}

TEST_CASE("every cell of the machine of a buffer is what section 4.2 says, also when muted and in doubt") {
    constexpr const BufferMachine* kMachines[] = {&kMachine<1>, &kMachine<2>, &kMachine<3>, &kMachine<4>, &kMachine<5>};
    static_assert(std::size(kMachines) == kNewestFdr);
    for (uint16_t version = 1; version <= kNewestFdr; ++version)
        for (const Named& from : kSituations)
            for (size_t symbol = 0; symbol < static_cast<size_t>(S::count_) && from.phase != P::over; ++symbol)
                check_cell(*kMachines[version - 1], from, static_cast<Symbol>(symbol), version);
}

}  // namespace tracelint::xray
