// mlpd, rule 103: what happens when the limits of a run are reached.
#pragma once

#include "validator/format.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kTrackingLimit{.id = "mlpd/tracking-limit",
                                     .severity = Severity::note,
                                     .statement = "the file can be followed within the limits of this run",
                                     .message = "the limit of {0 byte|bytes} is reached, and some checks are left out",
                                     .why = "not a fault of the file; --max-memory and --max-record raise the limits",
                                     .spec = "5.10 Limits",
                                     .since = "0.1.0",
                                     .decided_later = true};

}  // namespace tracelint::mlpd
