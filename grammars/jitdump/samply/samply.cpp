// samply's extension of jitdump: the grammar as the engine sees it.
#include "grammars/jitdump/samply/samply.hpp"

#include "grammars/jitdump/samply/checks/positions.hpp"
#include "grammars/jitdump/samply/walk.hpp"

namespace tracelint::samply {
namespace {

constexpr const RuleList* kRules[] = {&kListRules, &kWaitRules, &kExtensionRules, &kTreeRules, &kPositionsRules};
constexpr const Option* kOptions[] = {&kContestedOption};
constexpr auto kRows = [] { return rows_of(kTracker, kWaitNames, kEventNames, Wait::over); };
constexpr MachineTable kMachines[] = {{"The wait for a LOAD", kRows}};

// The layout to show a record with: positions if the record has room for their counts.
const Record& contested_record(uint64_t total_size, const Settings& settings) {
    const auto choice = static_cast<Contested>(settings.of(kContestedOption));
    const bool may_be_positions = choice != Contested::tier && total_size >= minimum_size(kPositions);
    return either(may_be_positions || choice == Contested::positions, kPositions, kTier);
}

}  // namespace

std::unique_ptr<jitdump::Extension> make_validator(ValidationContext& context) {
    return std::make_unique<SamplyExtension>(context);
}

const Record& record_of(uint32_t id, uint64_t total_size, const Settings& settings) {
    switch (id) {
        case kTreeId: return kTree;
        case kPositionsId: return contested_record(total_size, settings);
        case kInlineInfoId: return kInlineInfo;
        default: return kSourceFile;
    }
}

constinit const Grammar kGrammar{
    .id = "samply",
    .title = "samply's extension records of perf JIT dump",
    .spec = "samply's proposal of JIT_CODE_DEBUG_INFO2, and the reader on its branch support-inlines",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = kOptions,
};

}  // namespace tracelint::samply
