// mlpd, section 4.3.9: GC handles.
#include "grammars/mlpd/session/handles.hpp"

namespace tracelint::mlpd {

constexpr Rule kHandleDoubleCreate{.id = "mlpd/handle-double-create",
                                   .severity = Severity::note,
                                   .statement = "a GC handle is destroyed before it is created again",
                                   .message = "handle {1} of type {0} is created while it is live",
                                   .why = "readers count a leaked handle that does not exist",
                                   .spec = "4.3.9 Handles and roots",
                                   .since = "0.1.0"};

void Handles::create(uint64_t type, uint64_t handle, const Spot& event) {
    if (stopped()) return;
    const Handle::Key key{type, handle + 1};
    if (live_.find(key) != nullptr) return file_.findings.add<kHandleDoubleCreate>(event.place(), {type, handle});
    if (!live_.insert({key})) file_.stop(Tracking::handles, event.place());
}

constexpr Rule kHandleDestroyUnknown{
    .id = "mlpd/handle-destroy-unknown",
    .severity = Severity::note,
    .statement = "a GC handle that is destroyed was created before",
    .message = "handle {1} of type {0} is destroyed, but is not live",
    .why = "readers count one handle too few; usual for handles created before the profiler started",
    .spec = "4.3.9 Handles and roots",
    .since = "0.1.0"};

void Handles::destroy(uint64_t type, uint64_t handle, const Spot& event) {
    if (stopped()) return;
    Handle* const live = live_.find({type, handle + 1});
    if (live == nullptr) return file_.findings.add<kHandleDestroyUnknown>(event.place(), {type, handle});
    live_.erase(live);
}

static constexpr const Rule* kRules[] = {&kHandleDestroyUnknown, &kHandleDoubleCreate};
constinit const RuleList kHandleRules{kRules};

}  // namespace tracelint::mlpd
