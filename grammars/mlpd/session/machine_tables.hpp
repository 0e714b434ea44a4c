// mlpd, section 4.3: the machines of one thread and of one id, as tables for the reference.
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
    rows_of(kHeapshotMachine, kHeapshotStateNames, kHeapshotEventNames, HeapshotState::over);
inline constexpr auto kGc13 = rows_of(kGcMachine13, kGcStateNames, kGcStepNames, GcState::over);
inline constexpr auto kGc12 = rows_of(kGcMachine12, kGcStateNames, kGcStepNames, GcState::over);
inline constexpr auto kMonitor = rows_of(kMonitorMachine, kMonitorStateNames, kMonitorEventNames, MonitorState::over);
inline constexpr auto kQueue = rows_of(kQueueMachine, kQueueStateNames, kQueueEventNames, QueueState::over);
inline constexpr auto kWorld = rows_of(kWorldMachine, kWorldStateNames, kWorldEventNames, WorldState::over);
inline constexpr auto kLife = rows_of(kLifeMachine, kLifeNames, kLifeEventNames, Life::over);

}  // namespace rows

// In the order of 4.3; calls are a stack and have no table.
inline constexpr MachineTable kSessionMachines[] = {
    {"Heapshots of a thread", rows::kHeapshot},
    {"Collections of a thread, data version 13 and later", rows::kGc13},
    {"Collections of a thread, data versions 1 to 12", rows::kGc12},
    {"Monitors of a thread", rows::kMonitor},
    {"The finalizer's queue of a thread", rows::kQueue},
    {"Loads and unloads of an id", rows::kLife},
    {"The world as a thread stops and starts it", rows::kWorld},
};

}  // namespace tracelint::mlpd
