// mlpd: GC handles and roots.
#include "grammars/mlpd/checks/handles_and_roots.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.9: GC handles.

void Handles::create(uint64_t type, uint64_t handle, const Spot& event) { note({{type, handle + 1}, true, event}); }
void Handles::destroy(uint64_t type, uint64_t handle, const Spot& event) { note({{type, handle + 1}, false, event}); }

void Handles::note(const Use& use) {
    if (stopped()) return;
    live_.prefetch(use.key);
    uses_.add(use, [this](const Use& noted) { take(noted); });
}

void Handles::take_all() {
    uses_.take_all([this](const Use& use) { take(use); });
}

constexpr Rule kHandleDoubleCreate{
    .id = "mlpd/handle-double-create",
    .severity = Severity::note,
    .statement = "a GC handle is destroyed before it is created again",
    .message = "handle {1} of type {0} is created while it is live",
    .why = "readers count a leaked handle that does not exist",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0",
};

constexpr Rule kHandleDestroyUnknown{
    .id = "mlpd/handle-destroy-unknown",
    .severity = Severity::note,
    .statement = "a GC handle that is destroyed was created before",
    .message = "handle {1} of type {0} is destroyed, but is not live",
    .why = "readers count one handle too few; usual for handles created before the profiler started",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0",
};

void Handles::take(const Use& use) {
    if (stopped()) return;
    const uint64_t type = use.key.type, handle = use.key.number - 1;
    if (use.creates) {
        const size_t before = live_.size();
        if (live_.find_or_insert({use.key}) == nullptr) return file_.stop(Tracking::handles, use.event.place());
        if (live_.size() == before) file_.findings.add<kHandleDoubleCreate>(use.event.place(), {type, handle});
        return;
    }
    Handle* const live = live_.find(use.key);
    if (live == nullptr) return file_.findings.add<kHandleDestroyUnknown>(use.event.place(), {type, handle});
    live_.erase(live);
}

// mlpd, section 4.3.9: memory areas that are registered as roots.

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

constinit const RuleList kHandlesAndRootsRules =
    rules<&kHandleDoubleCreate, &kHandleDestroyUnknown, &kRootDoubleRegister, &kRootUnregisterUnknown>;

}  // namespace tracelint::mlpd
