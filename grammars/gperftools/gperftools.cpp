// Google CPU profiler: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/header.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/record_walk.hpp"
#include "grammars/gperftools/text.hpp"
#include "grammars/gperftools/unmapped_pcs.hpp"
#include "grammars/gperftools/walk.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr const RuleList* kRules[] = {&kFieldRules, &kEdgeRules,    &kHeaderRules,     &kRecordRules, &kProfileRules,
                                      &kTextRules,  &kMappingRules, &kUnmappedPcRules, &kJavaRules};

std::vector<std::string_view> statistics() {
    return {"records", "samples", "profiles", "deepest call chain", "distinct addresses", "lines", "mappings"};
}

constexpr auto kRows = rows_of(kMachine, kStateNames, kSymbolNames, State::stopped);
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
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace gperftools

constinit const Format kGperftools{
    .id = "gperftools",
    .title = "Google CPU profiler",
    .grammars = gperftools::kGrammars,
    .recognise = gperftools::recognise,
    .validate = gperftools::validate,
    .framer = gperftools::make_framer,
    .statistics = gperftools::statistics,
    .has_names = true,
};

}  // namespace tracelint
