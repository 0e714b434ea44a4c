// nettrace: the format as the engine sees it.
#include "grammars/nettrace/nettrace.hpp"
#include "grammars/formats.hpp"
#include "grammars/nettrace/checks/session.hpp"
#include "grammars/nettrace/machine_blocks.hpp"
#include "grammars/nettrace/machine_objects.hpp"

namespace tracelint {
namespace nettrace {
namespace {

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kHeaderRules,  &kObjectMachineRules, &kBlockMachineRules,  &kTraceRules,
                                      &kContentRules, &kEventRules,         &kPayloadRules,       &kOldEventRules,
                                      &kThreadRules,  &kMetadataRules,      &kMetadataFieldRules, &kPartRules,
                                      &kLimitRules};

std::vector<std::string_view> statistics() {
    return {"records", "blocks", "events", "metadata rows", "stacks", "sequence points", kSkippedBytes};
}

namespace rows {

constexpr auto kObjects = [] {
    return rows_of(kObjectMachine, objects::kStateNames, objects::kSymbolNames, objects::State::stopped);
};
constexpr auto kBlocks = [] {
    return rows_of(kBlockMachine, plain_blocks::kStateNames, plain_blocks::kSymbolNames, plain_blocks::State::stopped);
};

}  // namespace rows

constexpr MachineTable kMachines[] = {
    {"Files of objects, versions 1 to 5", rows::kObjects},
    {"Blocks of version 6", rows::kBlocks},
};

constexpr Grammar kGrammar{
    .id = "nettrace",
    .title = ".NET EventPipe trace",
    .spec =
        "the texts of microsoft/perfview on NetPerf and NetTrace, and the writers of dotnet/runtime, dotnet/coreclr "
        "and "
        "microsoft/one-collect",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr const Grammar* kGrammars[] = {&kGrammar};
constexpr std::string_view kFileNames[] = {"*.nettrace", "*.netperf"};

}  // namespace
}  // namespace nettrace

constinit const Format kNettrace{
    .id = nettrace::kGrammar.id,
    .title = nettrace::kGrammar.title,
    .grammars = nettrace::kGrammars,
    .file_names = nettrace::kFileNames,
    .both_byte_orders = false,
    .recognise = nettrace::recognise,
    .validate = nettrace::validate,
    .framer = nettrace::make_framer,
    .statistics = nettrace::statistics,
};

}  // namespace tracelint
