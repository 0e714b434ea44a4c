// Mono's log profiler: the format as the engine sees it.
#include <algorithm>

#include "grammars/formats.hpp"
#include "grammars/mlpd/checks/heap.hpp"
#include "grammars/mlpd/checks/loads.hpp"
#include "grammars/mlpd/checks/synchronisation.hpp"
#include "grammars/mlpd/machine_file.hpp"
#include "grammars/mlpd/mlpd.hpp"

namespace tracelint {
namespace mlpd {

namespace {

void validate(Window& window, ValidationContext& context) {
    validate_file(window, context, context.names == nullptr ? WalkMode::fast : WalkMode::plain);
}

// Buffers and events; the parts of events are not counted. Versions may share a name.
std::vector<std::string_view> statistics() {
    std::vector<std::string_view> names = {"records", kBuffer.name, kSkippedBytes};
    for (const Record* record : kRecords) {
        const bool is_listed = std::ranges::find(names, record->name) != names.end();
        if (record->find("op") != nullptr && !is_listed) names.push_back(record->name);
    }
    return names;
}

constexpr const RuleList* kRules[] = {&kRecordRules,      &kValueRules,      &kHeaderRules,     &kFileMachineRules,
                                      &kWalkRules,        &kThreadTimeRules, &kWalkEventsRules, &kFieldCheckRules,
                                      &kEventActionRules, &kSessionRules,    &kHeapRules,       &kSynchronisationRules,
                                      &kCounterRules,     &kMethodsRules,    &kLoadRules,       &kHandlesAndRootsRules,
                                      &kLimitRules};

namespace rows {

constexpr auto kFile = [] { return rows_of(kFileMachine, kStageNames, kFileEventNames, Stage::over); };
constexpr auto kHeapshot = [] {
    return rows_of(kHeapshotTracker, kHeapshotStateNames, kHeapshotEventNames, HeapshotState::over);
};
constexpr auto kGc13 = [] { return rows_of(kGcTracker13, kGcStateNames, kGcStepNames, GcState::over); };
constexpr auto kGc12 = [] { return rows_of(kGcTracker12, kGcStateNames, kGcStepNames, GcState::over); };
constexpr auto kMonitor = [] {
    return rows_of(kMonitorTracker, kMonitorStateNames, kMonitorEventNames, MonitorState::over);
};
constexpr auto kQueue = [] { return rows_of(kQueueTracker, kQueueStateNames, kQueueEventNames, QueueState::over); };
constexpr auto kWorld = [] { return rows_of(kWorldTracker, kWorldStateNames, kWorldEventNames, WorldState::over); };
constexpr auto kLife = [] { return rows_of(kLifeTracker, kLifeNames, kLifeEventNames, Life::over); };

}  // namespace rows

// Calls are a stack and have no table.
constexpr MachineTable kMachines[] = {
    {"The file", rows::kFile},
    {"Heapshots of a thread", rows::kHeapshot},
    {"Collections of a thread, data version 13 and later", rows::kGc13},
    {"Collections of a thread, data versions 1 to 12", rows::kGc12},
    {"Monitors of a thread", rows::kMonitor},
    {"The finalizer queue of a thread", rows::kQueue},
    {"Loads and unloads of an id", rows::kLife},
    {"The world, as one thread stops and starts it", rows::kWorld},
};

constexpr const Option* kOptions[] = {&kVariant};

constexpr Grammar kGrammar{
    .id = "mlpd",
    .title = "Mono log profiler",
    .spec = "mono/profiler/log.h and log.c, and the notes of 2010 on data version 1",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = kOptions,
};
constexpr std::string_view kFileNames[] = {"*.mlpd"};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace mlpd

constinit const Format kMlpd{
    .id = mlpd::kGrammar.id,
    .title = mlpd::kGrammar.title,
    .grammars = mlpd::kGrammars,
    .file_names = mlpd::kFileNames,
    .both_byte_orders = false,
    .recognise = mlpd::recognise,
    .validate = mlpd::validate,
    .framer = mlpd::make_framer,
    .statistics = mlpd::statistics,
    .has_names = true,
};

}  // namespace tracelint
