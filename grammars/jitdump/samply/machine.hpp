// The wait of a DEBUG_INFO2 for the LOAD of its function (sections 2.1 and 4.1), and the rules that end it.
#pragma once

#include "validator/tables/machine.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::samply {

inline constexpr Rule kInfo2Superseded{
    .id = "samply/info2-superseded",
    .severity = Severity::warning,
    .statement = "a LOAD has one DEBUG_INFO2 before it",
    .message = "another DEBUG_INFO2 follows before the LOAD",
    .why = "readers use the last one and ignore this one",
    .spec = "4.1 End of the wait",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

inline constexpr Rule kInfo2WithoutLoad{
    .id = "samply/info2-without-load",
    .severity = Severity::warning,
    .statement = "the LOAD of the function follows its DEBUG_INFO2",
    .message = "no LOAD follows before CLOSE or the end of the file",
    .why = "the record belongs to no function, and readers ignore it",
    .spec = "4.1 End of the wait",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

inline constexpr Rule kInfo2CodeAddrMismatch{
    .id = "samply/info2-code-addr-mismatch",
    .severity = Severity::error,
    .statement = "code_addr of a positions record is that of the LOAD that follows",
    .message = "code_addr is {0x}, but the LOAD that follows has {1x}",
    .why = "readers attach the lines and frames to the function of that LOAD anyway",
    .spec = "3.2 SAMPLY_JIT_CODE_DEBUG_INFO2 (positions); 4.1 End of the wait",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

inline constexpr Rule kInfo2AfterLoad{
    .id = "samply/info2-after-load",
    .severity = Severity::error,
    .statement = "a positions record precedes the LOAD of its function",
    .message = "the function at {0x} was loaded before this record",
    .why = "readers lose the record, or attach it to the function that is loaded next",
    .spec = "3.2 SAMPLY_JIT_CODE_DEBUG_INFO2 (positions); 4.1 End of the wait",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

inline constexpr Rule kIdConflict{
    .id = "samply/id-conflict",
    .severity = Severity::warning,
    .statement = "a record of id 827346260 is recognisable as a DEBUG_INFO2 with positions",
    .message = "the record is not recognised as positions; its body of {0 byte|bytes} is not checked",
    .why =
        "two record types share this id, positions and JIT_TIER. samply's reader fails on any other layout, and the "
        "function has no lines. --samply-260 says which type it is",
    .spec = "2.1 Id 827346260",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::note, "it is too short for positions",
                         "the body of {0 byte|bytes} is too short for positions and is not checked",
                         "two record types share this id; a short record is treated as the other one, JIT_TIER"},
};

inline constexpr Rule kTrackingLimit = tracking_limit("samply/tracking-limit", "4.3 Limits", true);

enum class Wait : uint8_t {
    none,          // no record waits
    pending,       // a tree, or a record that is recognised as positions
    late,          // positions with the code_addr of the previous LOAD
    unrecognised,  // id 827346260; only the LOAD that follows can still prove that it is positions
    unseen,        // the same, but most of it is not in memory
    over,          // the walk has ended
    count_,
};
inline constexpr std::string_view kWaitNames[] = {"none", "pending", "late", "unrecognised", "unseen", "over"};

enum class Event : uint8_t {
    debug_info2,  // a tree or possible positions arrive: ends the wait of the record before
    // what has arrived
    recognised,
    names_previous_load,
    unrecognised,
    unseen,
    // other records
    opaque,  // of the extension
    debug_info,
    load,        // its address is the code_addr of the waiting record, or that record has none
    other_load,  // it has another address
    short_load,  // too small to have an address
    close,
    end_of_file,
    cut,  // the walk stopped at an error, and the missing bytes may contain the LOAD
    count_,
};
inline constexpr std::string_view kEventNames[] = {"DEBUG_INFO2",  "recognised", "names the previous LOAD",
                                                   "unrecognised", "unseen",     "opaque",
                                                   "DEBUG_INFO",   "LOAD",       "other LOAD",
                                                   "short LOAD",   "CLOSE",      "end of file",
                                                   "cut"};

namespace transitions {

using enum Event;

inline constexpr uint32_t kArrivals = on(recognised, names_previous_load, Event::unrecognised, Event::unseen);
inline constexpr uint32_t kBystanders = on(opaque, debug_info);

// A rule is reported at the record whose wait ends.
inline constexpr Transition<Wait, Event> kRows[] = {
    {Wait::none, on(debug_info2, load, short_load, close) | kBystanders, Wait::none},
    {Wait::none, on(recognised), Wait::pending},
    {Wait::none, on(names_previous_load), Wait::late},
    {Wait::none, on(Event::unrecognised), Wait::unrecognised},
    {Wait::none, on(Event::unseen), Wait::unseen},
    {Wait::none, on(end_of_file, cut), Wait::over},
    never<Wait, Event>(Wait::none, on(other_load)),

    {Wait::pending, kBystanders, Wait::pending},
    {Wait::pending, on(load, short_load), Wait::none},
    {Wait::pending, on(other_load), Wait::none, &kInfo2CodeAddrMismatch},
    {Wait::pending, on(debug_info2), Wait::none, &kInfo2Superseded},
    {Wait::pending, on(close), Wait::none, &kInfo2WithoutLoad},
    {Wait::pending, on(end_of_file), Wait::over, &kInfo2WithoutLoad},
    {Wait::pending, on(cut), Wait::over},
    never<Wait, Event>(Wait::pending, kArrivals),

    {Wait::late, kBystanders, Wait::late},
    {Wait::late, on(load, short_load), Wait::none},
    {Wait::late, on(debug_info2), Wait::none, &kInfo2Superseded},
    {Wait::late, on(other_load, close), Wait::none, &kInfo2AfterLoad},
    {Wait::late, on(end_of_file), Wait::over, &kInfo2AfterLoad},
    {Wait::late, on(cut), Wait::over},
    never<Wait, Event>(Wait::late, kArrivals),

    {Wait::unrecognised, kBystanders, Wait::unrecognised},
    {Wait::unrecognised, on(load), Wait::none},
    {Wait::unrecognised, on(debug_info2, other_load, short_load, close), Wait::none, &kIdConflict},
    {Wait::unrecognised, on(end_of_file, cut), Wait::over, &kIdConflict},
    never<Wait, Event>(Wait::unrecognised, kArrivals),

    {Wait::unseen, kBystanders, Wait::unseen},
    {Wait::unseen, on(load), Wait::none},
    {Wait::unseen, on(debug_info2, other_load, short_load, close), Wait::none, &kTrackingLimit},
    {Wait::unseen, on(end_of_file, cut), Wait::over, &kTrackingLimit},
    never<Wait, Event>(Wait::unseen, kArrivals),
};

}  // namespace transitions

inline constexpr auto kTracker = make_tracker(transitions::kRows, Wait::none, Wait::over);

// Whether a record waits.
constexpr bool is_waiting(Wait wait) { return wait != Wait::none && wait != Wait::over; }
// Whether a waiting record is still to be recognised as positions.
constexpr bool is_doubtful(Wait wait) { return wait == Wait::unrecognised || wait == Wait::unseen; }

inline constexpr RuleList kWaitRules = rules<&kInfo2Superseded, &kInfo2WithoutLoad, &kInfo2CodeAddrMismatch,
                                             &kInfo2AfterLoad, &kIdConflict, &kTrackingLimit>;

}  // namespace tracelint::samply
