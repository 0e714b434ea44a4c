// mlpd, section 4.3.9: memory areas that are registered as roots.
#include "grammars/mlpd/session/roots.hpp"

namespace tracelint::mlpd {

void Roots::enter(uint64_t start, const Spot& event) { note({start, true, event}); }
void Roots::leave(uint64_t start, const Spot& event) { note({start, false, event}); }

void Roots::note(const Use& use) {
    if (stopped()) return;
    live_.prefetch(use.start);
    uses_.add(use, [this](const Use& noted) { take(noted); });
}

void Roots::take_all() {
    uses_.take_all([this](const Use& use) { take(use); });
}

constexpr Rule kRootDoubleRegister{
    .id = "mlpd/root-double-register",
    .severity = Severity::note,
    .statement = "a root is unregistered before it is registered again",
    .message = "the root at {0x} is already registered",
    .why = "readers keep one of the two; healthy files have this where thread ids are reused",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0",
};

constexpr Rule kRootUnregisterUnknown{
    .id = "mlpd/root-unregister-unknown",
    .severity = Severity::note,
    .statement = "a root that is unregistered was registered before",
    .message = "no root is registered at {0x}",
    .why =
        "readers cannot match the event with a registration; healthy files have this "
        "for roots that were registered before the profiler started",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0",
};

void Roots::take(const Use& use) {
    if (stopped()) return;
    if (use.registers) {
        const size_t before = live_.size();
        if (live_.find_or_insert({use.start, true}) == nullptr) return file_.stop(Tracking::roots, use.event.place());
        if (live_.size() == before) file_.findings.add<kRootDoubleRegister>(use.event.place(), {use.start});
        return;
    }
    Root* const live = live_.find(use.start);
    if (live == nullptr) return file_.findings.add<kRootUnregisterUnknown>(use.event.place(), {use.start});
    live_.erase(live);
}

constinit const RuleList kRootRules = rules<&kRootDoubleRegister, &kRootUnregisterUnknown>;

}  // namespace tracelint::mlpd
