// perf map: the format as the engine sees it.
#include "grammars/perfmap/perfmap.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfmap/checks/lines.hpp"
#include "grammars/perfmap/checks/live_code.hpp"
#include "grammars/perfmap/checks/v8_names.hpp"
#include "grammars/perfmap/machine.hpp"
#include "grammars/perfmap/records.hpp"

namespace tracelint {
namespace perfmap {
namespace {

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kMachineRules, &kLinesRules, &kV8Rules, &kLiveCodeRules};

std::vector<std::string_view> statistics() { return {"records", "functions", kSkippedBytes}; }

constexpr auto kRows = [] { return rows_of(kMachine, kStateNames, kSymbolNames, State::stopped); };
constexpr MachineTable kMachines[] = {{"State machine of a file", kRows}};

constexpr Grammar kGrammar{
    .id = "perfmap",
    .title = "perf map",
    .spec = "tools/perf/Documentation/jit-interface.txt of Linux 6.1",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr std::string_view kFileNames[] = {"perf-[0-9]*.map"};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace perfmap

constinit const Format kPerfmap{
    .id = perfmap::kGrammar.id,
    .title = perfmap::kGrammar.title,
    .grammars = perfmap::kGrammars,
    .file_names = perfmap::kFileNames,
    .both_byte_orders = false,
    .recognise = perfmap::recognise,
    .validate = perfmap::validate,
    .framer = perfmap::make_framer,
    .statistics = perfmap::statistics,
    .has_names = true,
};

}  // namespace tracelint
