// XRay, section 5.6: what happens when a limit of the run is reached.
#pragma once

#include "validator/format.hpp"
#include "validator/tables/tracking_limit.hpp"

namespace tracelint::xray {

inline constexpr Rule kTrackingLimit = tracking_limit("xray/tracking-limit", "5.6 Limits", true);

// Ends one kind of tracking, and reports it the first time. `record`: the one that did not fit.
inline void stop_tracking(ValidationContext& context, bool& is_tracked, Place record) {
    if (!is_tracked) return;
    is_tracked = false;
    context.limit_hit = true;
    record.length = 0;
    record.field = nullptr;
    context.report.add({.rule = &kTrackingLimit,
                        .place = record,
                        .numbers = {context.limits.memory},
                        .hint = "memory limit: checks that compare records with each other stop here"});
}

// Reports that a record of `size` bytes is not looked into: it is above the record limit, or there is no memory to see
// it as a whole.
inline void report_unread(ValidationContext& context, Place record, uint64_t size) {
    const bool is_above_record_limit = size > context.limits.record;
    context.limit_hit = true;
    record.length = 0;
    context.report.add({.rule = &kTrackingLimit,
                        .place = record,
                        .numbers = {is_above_record_limit ? context.limits.record : context.limits.memory},
                        .hint = is_above_record_limit ? "record limit: the contents of this record are not checked"
                                                      : "memory limit: the contents of this record are not checked"});
}

inline constexpr RuleList kTrackingRules = rules<&kTrackingLimit>;

}  // namespace tracelint::xray
