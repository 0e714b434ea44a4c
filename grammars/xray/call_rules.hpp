// xray, section 5, rules 42 to 44: the functions that are open on a thread, in one buffer.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kExitMismatch{
    .id = "xray/exit-mismatch",
    .severity = Severity::note,
    .statement = "a function that is left is the one entered last",
    .message = "function {0} is left, and {1} was entered last",
    .why = "exceptions, longjmp and pthread_exit do this legally; readers guess how long the functions ran",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0"};

inline constexpr Rule kExitWithoutEntry{.id = "xray/exit-without-entry",
                                        .severity = Severity::note,
                                        .statement = "a function that is left was entered in the same buffer",
                                        .message = "function {0} is left, and none is open in this buffer",
                                        .why =
                                            "legal: the entry is in an earlier buffer of the thread, or was "
                                            "overwritten in the ring; then the call is missing "
                                            "from reports",
                                        .spec = "4.4 Function Record Order",
                                        .since = "0.1.0"};

inline constexpr Rule kUnclosedEntries{
    .id = "xray/unclosed-entries",
    .severity = Severity::note,
    .statement = "a thread leaves the functions that it entered",
    .message = "{0 function was|functions were} entered and not left when the last buffer of the thread ended",
    .why = "legal where a thread was stopped or the trace finalised; the calls are missing from reports",
    .spec = "4.4 Function Record Order",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

}  // namespace tracelint::xray
