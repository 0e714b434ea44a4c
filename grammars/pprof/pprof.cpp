// pprof: the format as the engine sees it.
#include "grammars/pprof/pprof.hpp"
#include "grammars/formats.hpp"
#include "grammars/pprof/checks/messages.hpp"
#include "grammars/pprof/machine.hpp"
#include "grammars/pprof/records.hpp"

namespace tracelint {
namespace pprof {
namespace {

// In the order of the specification.
constexpr const RuleList* kRules[] = {&kMachineRules, &kStringRules,  &kReferenceRules, &kEntryRules,
                                      &kSampleRules,  &kProfileRules, &kFindingRules};

std::vector<std::string_view> statistics() {
    return {"records", "samples", "mappings", "locations", "functions", "strings", kSkippedBytes};
}

constexpr auto kRows = [] { return rows_of(kMachine, kStateNames, kSymbolNames, State::stopped); };
constexpr MachineTable kMachines[] = {{"State machine of a file", kRows}};

constexpr Grammar kGrammar{
    .id = "pprof",
    .title = "pprof profile (profile.proto)",
    .spec = "proto/profile.proto of google/pprof, 2026-07-09",
    .records = kRecords,
    .rules = kRules,
    .machines = kMachines,
    .options = {},
};
constexpr const Grammar* kGrammars[] = {&kGrammar};
constexpr std::string_view kFileNames[] = {"*.pprof", "*.pb.gz", "*.pb"};

}  // namespace
}  // namespace pprof

constinit const Format kPprof{
    .id = pprof::kGrammar.id,
    .title = pprof::kGrammar.title,
    .grammars = pprof::kGrammars,
    .file_names = pprof::kFileNames,
    .both_byte_orders = false,
    .recognise = pprof::recognise,
    .validate = pprof::validate,
    .framer = pprof::make_framer,
    .statistics = pprof::statistics,
    .refuses_gzip_padding = true,
};

}  // namespace tracelint
