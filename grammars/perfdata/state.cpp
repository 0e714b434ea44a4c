#include "grammars/perfdata/state.hpp"

#include <utility>

#include "validator/tracking_limit.hpp"

namespace tracelint::perfdata {

constexpr Rule kTrackingLimit = tracking_limit("perfdata/tracking-limit", "6. Limits", true);

void State::hit_limit(const Place& place) {
    if (report.count(kTrackingLimit) == 0) report.add<kTrackingLimit>(place, {context.limits.memory});
    context.limit_hit = true;
}

namespace {
constexpr const Rule* kTable[] = {&kTrackingLimit};
}
constinit const RuleList kStateRules{kTable};

}  // namespace tracelint::perfdata
