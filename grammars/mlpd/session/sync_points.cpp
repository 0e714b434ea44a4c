// mlpd, sections 4.3 and 5, rule 90.
#include "grammars/mlpd/session/sync_points.hpp"

#include "grammars/mlpd/records.hpp"

namespace tracelint::mlpd {

namespace {

// Events of the profiler's own threads, and of threads that are about to end, may come late.
constexpr bool may_be_late(uint8_t op) {
    constexpr uint8_t kSamples = 7;
    if ((op & 0x0f) == kSamples) return true;
    for (const Record* record : {&kJit, &kRootUnregister, &kHandleDestroyed, &kHandleDestroyedBacktrace, &kSyncPoint})
        if (record->tag == op) return true;
    return false;
}

}  // namespace

void SyncPoints::early(uint8_t op, bool unloads_thread, uint64_t time, const Spot& event) {
    if (unloads_thread || may_be_late(op)) return;
    floor_ = 0;
    is_said_ = true;
    file_.findings.add(kEventBeforeSyncPoint, event.place(), {time, highest_});
}

}  // namespace tracelint::mlpd
