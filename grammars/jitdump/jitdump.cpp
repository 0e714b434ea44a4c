// perf's JIT dump: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/jitdump/checks/eh_frame.hpp"
#include "grammars/jitdump/samply/samply.hpp"
#include "grammars/jitdump/walk.hpp"

namespace tracelint {
namespace jitdump {

std::unique_ptr<Framer> make_framer(const Settings& settings);

namespace {

// The magic number alone is enough; a sane header makes it certain (section 2.1).
int recognise(const Opening& opening) {
    const std::optional<ByteOrder> order = order_of_magic(opening.bytes);
    if (!order) return 0;
    if (opening.bytes.size() < fixed_size(kHeader)) return 80;
    const View<kHeader> header(opening.bytes.data(), 0, *order, kNone);
    const uint64_t size = header.get<"total_size">();
    return header.get<"version">() <= 16 && size >= 40 && size <= 4096 ? 100 : 90;
}

void validate(Window& window, ValidationContext& context) {
    validate_file(window, context, context.names == nullptr ? WalkMode::fast : WalkMode::plain);
}

std::vector<std::string_view> statistics() {
    std::vector<std::string_view> names = {"records"};
    for (auto symbol = static_cast<size_t>(Symbol::load); symbol <= static_cast<size_t>(Symbol::unknown); ++symbol)
        names.push_back(kSymbolNames[symbol]);
    return names;
}

constexpr const RuleList* kRules[] = {&kFieldRules,          &kMachineRules, &kWalkRules,       &kHeaderRules,
                                      &kClockRules,          &kCodeRules,    &kDebugInfoRules,  &kUnwindingRules,
                                      &kUnwindingRangeRules, &kEhFrameRules, &kFrameEntryRules, &kInstructionRules,
                                      &kFrameTableRules,     &kStateRules};

constexpr auto kRows = rows_of(kMachine, kPhaseNames, kSymbolNames, Phase::stopped);
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
constexpr const Grammar* kGrammars[] = {&kGrammar, samply::kExtension.grammar};

}  // namespace
}  // namespace jitdump

constinit const Format kJitdump{
    .id = jitdump::kGrammar.id,
    .title = jitdump::kGrammar.title,
    .grammars = jitdump::kGrammars,
    .recognise = jitdump::recognise,
    .validate = jitdump::validate,
    .framer = jitdump::make_framer,
    .statistics = jitdump::statistics,
    .has_names = true,
};

}  // namespace tracelint
