// Mono's log profiler: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/mlpd/file_machine.hpp"
#include "grammars/mlpd/session/machine_tables.hpp"
#include "grammars/mlpd/walk.hpp"

namespace tracelint {
namespace mlpd {

std::unique_ptr<Framer> make_framer(const Settings& settings);

namespace {

void validate(Window& window, ValidationContext& context) { validate_file(window, context, WalkMode::fast); }

// In the order of the digest's table.
constexpr const Rule* kEventRules[] = {
    &kEventOverrunsBuffer,
    &kLebTruncated,
    &kLebTooLong,
    &kLebOverflow,
    &kLebNonCanonical,
    &kPointerWidthOverflow,
    &kTimeDeltaWraps,
    &kTimeOverflow,
    &kUnknownEventType,
    &kUnknownEventSubtype,
    &kEventNotInVersion,
    &kUnknownMetadataType,
    &kMetadataSubtypeMismatch,
    &kMetadataFlagsNonzero,
    &kBacktraceFlagsNonzero,
    &kUnterminatedString,
    &kInvalidUtf8,
    &kEmptyName,
    &kCountExceedsBuffer,
    &kOddMoveCount,
    &kBacktraceTooDeep,
    &kGcEventRange,
    &kGcGenerationRange,
    &kGcHandleTypeRange,
    &kExceptionClauseTypeRange,
    &kMonitorEventRange,
    &kSyncPointTypeRange,
    &kRootSourceRange,
    &kJitHelperTypeRange,
    &kHeapGenerationRange,
    &kSampleTypeRange,
    &kCounterTypeRange,
    &kCounterSectionRange,
    &kCounterUnitVariance,
    &kCounterIndexZero,
    &kDuplicateCounterIndex,
    &kUnknownCounterIndex,
    &kCounterTypeMismatch,
    &kCounterStringFlag,
    &kDuplicateCounterSample,
    &kHeapObjectOutsideHeapshot,
    &kHeapshotEndWithoutStart,
    &kHeapshotNested,
    &kHeapshotUnterminated,
    &kHeapObjectDuplicate,
    &kHeapObjectContinuationUnknown,
    &kHeapRefDangling,
    &kHeapRefOffsetRange,
    &kObjectSizeUnaligned,
    &kNullObject,
    &kRootCountZero,
    &kUndefinedMethod,
    &kMethodDefinedAfterUse,
    &kNullMethod,
    &kUndefinedClass,
    &kUndefinedVtable,
    &kUndefinedImage,
    &kUndefinedDomain,
    &kLoadedInLaterWindow,
    &kDuplicateLoad,
    &kUnloadWithoutLoad,
    &kDoubleUnload,
    &kUseAfterUnload,
    &kThreadEventWrongThread,
    &kLeaveWithoutEnter,
    &kLeaveMismatch,
    &kCallStackOpenAtEnd,
    &kGcEventOrder,
    &kGcGenerationMismatch,
    &kSyncPointOrder,
    &kEventBeforeSyncPoint,
    &kMonitorOrder,
    &kFinalizerOrder,
    &kHandleDestroyUnknown,
    &kHandleDoubleCreate,
    &kRootDoubleRegister,
    &kRootUnregisterUnknown,
    &kBadMvid,
    &kBadAotId,
    &kDuplicateJit,
    &kJitCodeSizeMismatch,
    &kCoverageDanglingStatement,
    &kFlagNeverWritten,
    &kTrackingLimit,
};
constexpr RuleList kHeaderRulesList{kHeaderRules};
constexpr RuleList kBufferRulesList{kBufferRules};
constexpr RuleList kEventRulesList{kEventRules};
constexpr const RuleList* kRules[] = {&kHeaderRulesList, &kBufferRulesList, &kEventRulesList};

constexpr auto kFileRows = rows_of(kFileMachine, kStageNames, kFileEventNames, Stage::over);
constexpr auto kMachines = [] {
    std::array<MachineTable, 1 + std::size(kSessionMachines)> all{};
    all[0] = {"The file", kFileRows};
    std::ranges::copy(kSessionMachines, all.begin() + 1);
    return all;
}();

constexpr const Option* kOptions[] = {&kVariant};

constexpr Grammar kGrammar{
    .id = "mlpd",
    .title = "Mono log profiler",
    .spec = "mono/profiler/log.h and log.c, and the notes of 2010 on data version 1",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = kOptions,
};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace mlpd

constinit const Format kMlpd{
    .id = "mlpd",
    .title = "Mono log profiler",
    .grammars = mlpd::kGrammars,
    .both_byte_orders = false,
    .recognise = mlpd::recognise,
    .validate = mlpd::validate,
    .framer = mlpd::make_framer,
};

}  // namespace tracelint
