// mlpd, section 4.3.10: synchronisation points, which close the windows of the file.
#include "grammars/mlpd/session/sync_points.hpp"

namespace tracelint::mlpd {

constexpr Rule kEventBeforeSyncPoint{
    .id = "mlpd/event-before-sync-point",
    .severity = Severity::note,
    .statement = "an event that happened before a synchronisation point precedes it in the file",
    .message = "the time of the event is {0}, before the {1} of a synchronisation point earlier in the file",
    .why = "readers sort the events between two synchronisation points by time; this one comes out of order",
    .spec = "4.3.10 Synchronisation points",
    .since = "0.1.0",
};

void SyncPoints::early(uint64_t time, const Spot& event) {
    floor_ = 0;
    is_reported_ = true;
    file_.findings.add<kEventBeforeSyncPoint>(event.place(), {time, highest_});
}

constinit const RuleList kSyncPointRules = rules<&kSyncPointOrder, &kEventBeforeSyncPoint>;

}  // namespace tracelint::mlpd
