// Mono's log profiler: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/mlpd/file_machine.hpp"
#include "grammars/mlpd/session/machine_tables.hpp"
#include "grammars/mlpd/walk.hpp"

namespace tracelint {
namespace mlpd {

std::unique_ptr<Framer> make_framer(const Settings& settings);

namespace {

void validate(Window& window, ValidationContext& context) { validate_file(window, context, WalkMode::fast); }

constexpr const RuleList* kRules[] = {
    // the header and its fields, buffers
    &kRecordRules, &kValueRules, &kHeaderRules, &kFileMachineRules, &kWalkRules, &kThreadTimeRules,
    // events
    &kEventTableRules, &kEventReaderRules, &kFieldCheckRules, &kEventActionRules,
    // what they mean together
    &kSessionRules, &kHeapshotRules, &kGcCycleRules, &kMonitorRules, &kFinalizerRules, &kCounterRules, &kMethodRules,
    &kLoadRules, &kHandleRules, &kRootRules, &kSyncPointRules, &kCoverageRules, &kLimitRules};

constexpr auto kFileRows = rows_of(kFileMachine, kStageNames, kFileEventNames, Stage::over);
constexpr auto kMachines = [] {
    std::array<MachineTable, 1 + std::size(kSessionMachines)> all{};
    all[0] = {"The file", kFileRows};
    std::ranges::copy(kSessionMachines, all.begin() + 1);
    return all;
}();

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
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace mlpd

constinit const Format kMlpd{
    .id = "mlpd",
    .title = "Mono log profiler",
    .grammars = mlpd::kGrammars,
    .both_byte_orders = false,
    .recognise = mlpd::recognise,
    .validate = mlpd::validate,
    .framer = mlpd::make_framer,
};

}  // namespace tracelint
