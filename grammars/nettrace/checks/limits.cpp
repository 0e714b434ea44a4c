#include "grammars/nettrace/checks/limits.hpp"

namespace tracelint::nettrace {

constexpr Rule kTrackingLimit = tracking_limit("nettrace/tracking-limit", "7. Limits", true, "0.2.0");

void Tracking::end(Tracked what, uint64_t offset) {
    context_.limit_hit = true;
    findings_.silence();
    if (std::exchange(ended_[static_cast<size_t>(what)], true)) return;
    const uint64_t limit = what == Tracked::records ? context_.limits.record : context_.limits.memory;
    context_.report.add<kTrackingLimit>({.offset = offset}, {limit});
}

constinit const RuleList kLimitRules = rules<&kTrackingLimit>;

}  // namespace tracelint::nettrace
