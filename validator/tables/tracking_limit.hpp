// The rule that every grammar has for a limit that is hit: tracking stops, and one note reports it.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint {

// `later_records`: the limit may be hit at another place, or not at all, if the file is cut after the finding.
consteval Rule tracking_limit(std::string_view id, std::string_view spec, bool later_records, Version since = "0.1.0") {
    return {.id = id,
            .severity = Severity::note,
            .statement = "the file can be followed within the limits of this run",
            .message = "the limit of {0 byte|bytes} is reached: some checks are skipped from here on",
            .why = "not a fault of the file; --max-memory and --max-record raise the limits",
            .spec = spec,
            .since = since,
            .depends_on = {.later_records = later_records}};
}

// Whether the rule is one of those.
constexpr bool is_tracking_limit(const Rule& rule) { return rule.id.ends_with("/tracking-limit"); }

}  // namespace tracelint
