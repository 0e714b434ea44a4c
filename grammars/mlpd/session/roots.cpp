// mlpd, section 4.3.9: memory areas that are registered as roots.
#include "grammars/mlpd/session/roots.hpp"

namespace tracelint::mlpd {

constexpr Rule kRootDoubleRegister{
    .id = "mlpd/root-double-register",
    .severity = Severity::note,
    .statement = "a root is unregistered before it is registered again",
    .message = "the root at {0x} is already registered",
    .why = "readers keep one of the two; healthy files have this where thread ids are reused",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0"};

void Roots::enter(uint64_t start, const Spot& event) {
    if (stopped()) return;
    if (live_.find(start) != nullptr) return file_.findings.add<kRootDoubleRegister>(event.place(), {start});
    if (!live_.insert({start, true})) file_.stop(Tracking::roots, event.place());
}

constexpr Rule kRootUnregisterUnknown{.id = "mlpd/root-unregister-unknown",
                                      .severity = Severity::note,
                                      .statement = "a root that is unregistered was registered before",
                                      .message = "no root is registered at {0x}",
                                      .why =
                                          "readers cannot match the event with a registration; healthy files have this "
                                          "for roots that were registered before the profiler started",
                                      .spec = "4.3.9 Handles and roots",
                                      .since = "0.1.0"};

void Roots::leave(uint64_t start, const Spot& event) {
    if (stopped()) return;
    Root* const live = live_.find(start);
    if (live == nullptr) return file_.findings.add<kRootUnregisterUnknown>(event.place(), {start});
    live_.erase(live);
}

static constexpr const Rule* kRules[] = {&kRootDoubleRegister, &kRootUnregisterUnknown};
constinit const RuleList kRootRules{kRules};

}  // namespace tracelint::mlpd
