#include "grammars/perfdata/state.hpp"

#include <utility>

#include "validator/tables/tracking_limit.hpp"

namespace tracelint::perfdata {

constexpr Rule kTrackingLimit = tracking_limit("perfdata/tracking-limit", "6. Limits", true, "0.2.0");

void State::hit_limit(const Place& place, std::string_view hint) {
    if (!std::exchange(is_limit_hit_, true))
        report.add({.rule = &kTrackingLimit, .place = place, .numbers = {context.limits.memory}, .hint = hint});
    context.limit_hit = true;
}

namespace {}
constinit const RuleList kStateRules = rules<&kTrackingLimit>;

}  // namespace tracelint::perfdata
