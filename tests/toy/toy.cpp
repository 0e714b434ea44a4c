// Toy trace: the format as the engine sees it.
#include "tests/toy/toy.hpp"
#include "tests/toy/checks/fields.hpp"
#include "tests/toy/checks/tasks.hpp"
#include "tests/toy/formats.hpp"
#include "tests/toy/machine.hpp"
#include "tests/toy/records.hpp"

namespace tracelint {
namespace toy {
namespace {

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kMachineRules, &kRecordRules, &kFieldRules, &kTrackerRules, &kTaskRules};

std::vector<std::string_view> statistics() { return {"records"}; }

constexpr auto kRows = [] { return rows_of(kMachine, kStateNames, kSymbolNames, State::stopped); };
constexpr auto kTaskRows = [] { return rows_of(kTaskTracker, kTaskStateNames, kTaskEventNames, TaskState::over); };
constexpr MachineTable kMachines[] = {{"State machine of a file", kRows}, {"State machine of a task", kTaskRows}};

constexpr Grammar kGrammar{
    .id = "toy",
    .title = "Toy trace",
    .spec = "the toy document, version 2",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr const Grammar* kGrammars[] = {&kGrammar};
constexpr std::string_view kFileNames[] = {"*.toy"};

}  // namespace
}  // namespace toy

constinit const Format kToy{
    .id = toy::kGrammar.id,
    .title = toy::kGrammar.title,
    .grammars = toy::kGrammars,
    .file_names = toy::kFileNames,
    .recognise = toy::recognise,
    .validate = toy::validate,
    .framer = toy::make_framer,
    .statistics = toy::statistics,
};

}  // namespace tracelint
