// Google CPU profiler: the format as the engine sees it.
#include "grammars/gperftools/gperftools.hpp"
#include "grammars/formats.hpp"
#include "grammars/gperftools/checks/header.hpp"
#include "grammars/gperftools/checks/profile.hpp"
#include "grammars/gperftools/checks/text.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/recognise.hpp"
#include "grammars/gperftools/walk_records.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr const RuleList* kRules[] = {&kFieldRules,   &kEdgeRules, &kHeaderRules,  &kRecordRules,
                                      &kProfileRules, &kTextRules, &kMappingRules, &kJavaRules};

std::vector<std::string_view> statistics() {
    return {"records", "samples",  "profiles",    "deepest call chain", "distinct addresses",
            "lines",   "mappings", kSkippedBytes, kMostSkippedRecords};
}

constexpr auto kRows = [] { return rows_of(kMachine, kStateNames, kSymbolNames, State::stopped); };
constexpr MachineTable kMachines[] = {{"State machine", kRows}};

constexpr Grammar kGrammar{
    .id = "gperftools",
    .title = "Google CPU profiler",
    .spec = "gperftools, docs/cpuprofile-fileformat.html",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr std::string_view kFileNames[] = {"*.prof"};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace gperftools

constinit const Format kGperftools{
    .id = gperftools::kGrammar.id,
    .title = gperftools::kGrammar.title,
    .grammars = gperftools::kGrammars,
    .file_names = gperftools::kFileNames,
    .recognise = gperftools::recognise,
    .validate = gperftools::validate,
    .framer = gperftools::make_framer,
    .statistics = gperftools::statistics,
    .has_names = true,
};

}  // namespace tracelint
