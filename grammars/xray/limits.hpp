// xray, rule 48: what happens when the limits of a run are reached.
#pragma once

#include "validator/format.hpp"

namespace tracelint::xray {

inline constexpr Rule kTrackingLimit{.id = "xray/tracking-limit",
                                     .severity = Severity::note,
                                     .statement = "the file can be followed within the limits of this run",
                                     .message = "the limit of {0 byte|bytes} is reached, and some checks are left out",
                                     .why = "not a fault of the file; --max-memory and --max-record raise the limits",
                                     .spec = "5.6 Limits",
                                     .since = "0.1.0",
                                     .decided_later = true};

// Ends one kind of tracking and says so, once. `at`: the record that it got to.
inline void stop_tracking(ValidationContext& context, bool& tracking, Place at) {
    if (!tracking) return;
    tracking = false;
    context.limit_hit = true;
    at.length = 0;
    at.field = nullptr;
    context.report.add({.rule = &kTrackingLimit,
                        .place = at,
                        .numbers = {context.limits.memory},
                        .hint = "the memory limit: what is remembered across records is not checked from here on"});
}

// Says that a record above the record limit is not looked into.
inline void leave_out(ValidationContext& context, Place record) {
    context.limit_hit = true;
    record.length = 0;
    context.report.add({.rule = &kTrackingLimit,
                        .place = record,
                        .numbers = {context.limits.record},
                        .hint = "the record limit: the insides of this record are not checked"});
}

}  // namespace tracelint::xray
