// samply's extension of jitdump: the grammar as the engine sees it.
#include "grammars/samply/samply.hpp"

#include "grammars/samply/model.hpp"
#include "grammars/samply/nesting.hpp"
#include "grammars/samply/pending.hpp"
#include "grammars/samply/positions.hpp"
#include "grammars/samply/sync.hpp"

namespace tracelint::samply {
namespace {

// In the order of the digest's tables.
constexpr auto kRules =
    joined(kListRules, kPendingRules, kTreeRules, kNestingRules, kSyncRules, kBindingRules, kPositionsRules);
constexpr const Option* kOptions[] = {&kContestedOption};
constexpr auto kRows = rows_of(kMachine, kWaitNames, kSymbolNames, Wait::over);
constexpr MachineTable kMachines[] = {{"The wait for a LOAD", kRows}};

// Whether the lists can be as long as the counts say.
bool may_be_positions(Bytes front, uint64_t total_size, ByteOrder order) {
    if (front.size() < fixed_size(kPositions)) return false;
    const View<kPositions> head(front.data(), 0, order, kNone);
    const uint64_t left = total_size - fixed_size(kPositions);
    const uint64_t offsets = head.get<"code_offset_count">(), positions = head.get<"source_position_count">();
    if (offsets > left / fixed_size(kCodeOffset)) return false;
    const uint64_t behind_offsets = left - offsets * fixed_size(kCodeOffset);
    return positions <= behind_offsets / fixed_size(kSourcePosition);
}

const Record& contested_record(uint64_t total_size, Bytes front, ByteOrder order, const Settings& settings) {
    switch (static_cast<Contested>(settings.of(kContestedOption))) {
        case Contested::positions: return kPositions;
        case Contested::tier: return kTier;
        case Contested::decide: break;
    }
    return may_be_positions(front, total_size, order) ? kPositions : kTier;
}

}  // namespace

std::unique_ptr<jitdump::Extension> make_validator(Inspection& inspection) {
    return std::make_unique<Pending>(inspection);
}

const Record& record_of(uint32_t id, uint64_t total_size, Bytes front, ByteOrder order, const Settings& settings) {
    switch (id) {
        case kTreeId: return kTree;
        case kPositionsId: return contested_record(total_size, front, order, settings);
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
    .faults = planted_faults,
};

}  // namespace tracelint::samply
