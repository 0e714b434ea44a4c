// perf's JIT dump: the format as the engine sees it.
#include "grammars/jitdump/jitdump.hpp"
#include "grammars/formats.hpp"
#include "grammars/jitdump/checks/eh_frame.hpp"
#include "grammars/jitdump/samply/samply.hpp"
#include "grammars/jitdump/walk.hpp"

namespace tracelint {
namespace jitdump {
namespace {

void validate(Window& window, ValidationContext& context) {
    validate_file(window, context, context.names == nullptr ? WalkMode::fast : WalkMode::plain);
}

std::vector<std::string_view> statistics() {
    std::vector<std::string_view> names = {"records", kSkippedBytes};
    for (auto symbol = static_cast<size_t>(Symbol::load); symbol <= static_cast<size_t>(Symbol::unknown); ++symbol)
        names.push_back(kSymbolNames[symbol]);
    return names;
}

constexpr const RuleList* kRules[] = {&kFieldRules,   &kMachineRules,    &kWalkRules,      &kHeaderRules,
                                      &kClockRules,   &kCodeRules,       &kDebugInfoRules, &kUnwindingRules,
                                      &kEhFrameRules, &kFrameTableRules, &kStateRules};

constexpr auto kRows = [] { return rows_of(kMachine, kPhaseNames, kSymbolNames, Phase::stopped); };
constexpr MachineTable kMachines[] = {{"State machine", kRows}};

constexpr Grammar kGrammar{
    .id = "jitdump",
    .title = "perf JIT dump",
    .spec = "Linux tools/perf/Documentation/jitdump-specification.txt, revision 2",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr std::string_view kFileNames[] = {"*.dump"};
constexpr const Grammar* kGrammars[] = {&kGrammar, samply::kExtension.grammar};

}  // namespace
}  // namespace jitdump

constinit const Format kJitdump{
    .id = jitdump::kGrammar.id,
    .title = jitdump::kGrammar.title,
    .grammars = jitdump::kGrammars,
    .file_names = jitdump::kFileNames,
    .recognise = jitdump::recognise,
    .validate = jitdump::validate,
    .framer = jitdump::make_framer,
    .statistics = jitdump::statistics,
    .has_names = true,
};

}  // namespace tracelint
