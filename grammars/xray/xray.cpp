// LLVM XRay, as the engine sees it.
#include "grammars/xray/xray.hpp"
#include "grammars/formats.hpp"
#include "grammars/xray/checks/threads.hpp"
#include "grammars/xray/machine_fdr_file.hpp"
#include "grammars/xray/walk_fdr_buffer.hpp"

namespace tracelint {
namespace xray {

namespace {

// Section 2: the family decides which walk checks the file.
void validate(Window& window, ValidationContext& context) {
    const std::optional<ByteOrder> profile = order_of_profile(window.view(0, kHeaderSize));
    if (profile) return validate_profile(window, context, *profile);
    const std::optional<HeaderFacts> header = check_header(window, context);
    if (!header || ends_after_header(window, context.report, kHeader)) return;
    if (header->type == kBasicType) return validate_basic(window, context, *header);
    validate_fdr(window, context, *header);
}

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kHeaderRules,     &kFileMachineRules,  &kFdrWalkRules,     &kBufferMachineRules,
                                      &kBufferWalkRules, &kBufferCallRules,   &kBufferFieldRules, &kThreadRules,
                                      &kTrackingRules,   &kBasicMachineRules, &kBasicRules,       &kProfileRules};

// For all families.
std::vector<std::string_view> statistics() {
    std::vector<std::string_view> names = {"records",       "buffers",     "threads",          "paths",
                                           kSkippedRecords, kSkippedBytes, kMostSkippedRecords};
    std::array<bool, std::size(kSymbolNames)> is_listed{};
    for (const Symbol symbol : kSymbols<ByteOrder::little>) {
        bool& listed = is_listed[static_cast<size_t>(symbol)];
        if (!listed) names.push_back(kSymbolNames[static_cast<size_t>(symbol)]);
        listed = true;
    }
    names.push_back(kActions[kTailExit].name);
    names.push_back(kBasicArgument.name);
    return names;
}

template <uint16_t Version>
constexpr auto kBufferRows = [] { return rows_of(kMachine<Version>, kPhaseNames, kSymbolNames, Phase::over); };
constexpr auto kFile1Rows = [] { return rows_of(kFileMachine1, kStageNames, kFileEventNames, Stage::stopped); };
constexpr auto kFile2Rows = [] { return rows_of(kFileMachine2, kStageNames, kFileEventNames, Stage::stopped); };
constexpr auto kBasicRows = [] {
    return rows_of(kBasicMachine, kBasicPhaseNames, kBasicSymbolNames, BasicPhase::stopped);
};
constexpr MachineTable kMachines[] = {
    {"Flight data recorder, version 1: the file", kFile1Rows},
    {"Flight data recorder, versions 2 to 5: the file", kFile2Rows},
    {"Flight data recorder, version 1: a buffer", kBufferRows<1>},
    {"Flight data recorder, version 2: a buffer", kBufferRows<2>},
    {"Flight data recorder, versions 3 and 4: a buffer", kBufferRows<3>},
    {"Flight data recorder, version 5: a buffer", kBufferRows<5>},
    {"Basic mode", kBasicRows},
};

constexpr Grammar kGrammar{
    .id = "xray",
    .title = "LLVM XRay",
    .spec = "llvm/docs/XRayFDRFormat.rst",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr std::string_view kFileNames[] = {"*.xray", "xray-log.?*"};
constexpr const Grammar* kGrammars[] = {&kGrammar};

}  // namespace
}  // namespace xray

constinit const Format kXray{
    .id = xray::kGrammar.id,
    .title = xray::kGrammar.title,
    .grammars = xray::kGrammars,
    .file_names = xray::kFileNames,
    .recognise = xray::recognise,
    .validate = xray::validate,
    .framer = xray::make_framer,
    .statistics = xray::statistics,
};

}  // namespace tracelint
