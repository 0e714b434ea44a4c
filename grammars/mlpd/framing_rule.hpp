// mlpd, section 4.2: rules about framing. After a framing fault the start of the next event is unknown, so the rest of
// the buffer is skipped.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint::mlpd {

// Every framing fault has an override where an earlier error in the buffer is its likely cause.
consteval Rule framing(std::string_view id, std::string_view statement, std::string_view message, std::string_view why,
                       std::string_view spec) {
    return {.id = id,
            .severity = Severity::error,
            .statement = statement,
            .message = message,
            .why = why,
            .spec = spec,
            .since = "0.1.0",
            .depends_on = {.resynchronisation = true, .file_size = true},
            .severity_override = SeverityOverride{
                .severity = Severity::warning,
                .when = "an earlier event of the same buffer has an error",
                .message = {},
                .why = "likely a consequence of the earlier error in this buffer; the rest of the buffer is skipped"}};
}

}  // namespace tracelint::mlpd
