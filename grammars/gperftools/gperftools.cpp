// Google CPU profiler: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/gperftools/framing.hpp"
#include "grammars/gperftools/java_rules.hpp"
#include "grammars/gperftools/machine.hpp"
#include "grammars/gperftools/mapping_rules.hpp"
#include "grammars/gperftools/walk.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr const Rule* kToolRules[] = {&kTrackingLimit};
constexpr RuleList kHeaderRulesList{kHeaderRules};
constexpr RuleList kRecordRulesList{kRecordRules};
constexpr RuleList kTextRulesList{kTextRules};
constexpr RuleList kMappingRulesList{kMappingRules};
constexpr RuleList kJavaRulesList{kJavaRules};
constexpr RuleList kToolRulesList{kToolRules};
constexpr const RuleList* kRules[] = {&kHeaderRulesList,  &kRecordRulesList, &kTextRulesList,
                                      &kMappingRulesList, &kJavaRulesList,   &kToolRulesList};

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
};

}  // namespace tracelint
