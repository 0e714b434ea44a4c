// perf.data: the format as the engine sees it.
#include "grammars/perfdata/perfdata.hpp"
#include "grammars/formats.hpp"
#include "grammars/perfdata/checks/records.hpp"
#include "grammars/perfdata/records.hpp"
#include "grammars/perfdata/walk.hpp"

namespace tracelint {
namespace perfdata {
namespace {

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kMachineRules, &kHeaderRules,     &kStateRules,        &kAttrRules,
                                      &kFeatureRules, &kEndRules,        &kRecordsRules,      &kEventRules,
                                      &kWalkRules,    &kCompressedRules, &kGeneratedCodeRules};

constexpr auto kRows = [] { return rows_of(kMachine, kPhaseNames, kSymbolNames, Phase::stopped); };
constexpr MachineTable kMachines[] = {{"State machine of a file", kRows}};

void validate(Window& window, ValidationContext& context) { validate_file(window, context, WalkMode::fast); }

std::vector<std::string_view> statistics() {
    return {"records", "samples", "mappings", kSkippedBytes, kMostSkippedRecords};
}

constexpr Grammar kGrammar{
    .id = "perfdata",
    .title = "perf.data",
    .spec = "include/uapi/linux/perf_event.h and tools/perf of Linux 6.1",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr std::string_view kFileNames[] = {"perf*.data"};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace perfdata

constinit const Format kPerfdata{
    .id = perfdata::kGrammar.id,
    .title = perfdata::kGrammar.title,
    .grammars = perfdata::kGrammars,
    .file_names = perfdata::kFileNames,
    .recognise = perfdata::recognise,
    .validate = perfdata::validate,
    .framer = perfdata::make_framer,
    .statistics = perfdata::statistics,
    .has_names = false,
};

}  // namespace tracelint
