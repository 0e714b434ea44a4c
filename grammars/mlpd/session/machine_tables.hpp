// mlpd, section 4.3: the machines of one thread and of one id, as tables for the reference. Included by mlpd.cpp only.
#pragma once

#include "grammars/mlpd/session/finalizers.hpp"
#include "grammars/mlpd/session/gc_cycle.hpp"
#include "grammars/mlpd/session/heapshot.hpp"
#include "grammars/mlpd/session/loads.hpp"
#include "grammars/mlpd/session/monitors.hpp"
#include "grammars/mlpd/session/sync_points.hpp"
#include "validator/format.hpp"

namespace tracelint::mlpd {

namespace rows {

inline constexpr auto kHeapshot =
    rows_of(kHeapshotTracker, kHeapshotStateNames, kHeapshotEventNames, HeapshotState::over);
inline constexpr auto kGc13 = rows_of(kGcTracker13, kGcStateNames, kGcStepNames, GcState::over);
inline constexpr auto kGc12 = rows_of(kGcTracker12, kGcStateNames, kGcStepNames, GcState::over);
inline constexpr auto kMonitor = rows_of(kMonitorTracker, kMonitorStateNames, kMonitorEventNames, MonitorState::over);
inline constexpr auto kQueue = rows_of(kQueueTracker, kQueueStateNames, kQueueEventNames, QueueState::over);
inline constexpr auto kWorld = rows_of(kWorldTracker, kWorldStateNames, kWorldEventNames, WorldState::over);
inline constexpr auto kLife = rows_of(kLifeTracker, kLifeNames, kLifeEventNames, Life::over);

}  // namespace rows

// Calls are a stack and have no table.
inline constexpr MachineTable kSessionMachines[] = {
    {"Heapshots of a thread", rows::kHeapshot},
    {"Collections of a thread, data version 13 and later", rows::kGc13},
    {"Collections of a thread, data versions 1 to 12", rows::kGc12},
    {"Monitors of a thread", rows::kMonitor},
    {"The finalizer queue of a thread", rows::kQueue},
    {"Loads and unloads of an id", rows::kLife},
    {"The world, as one thread stops and starts it", rows::kWorld},
};

}  // namespace tracelint::mlpd
