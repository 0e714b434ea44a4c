// perf's JIT dump: the format as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/jitdump/model.hpp"
#include "grammars/jitdump/walk.hpp"

namespace tracelint {
namespace jitdump {
namespace {

// Section 2: the magic word alone is enough; a sane header makes it certain.
int recognise(const Opening& opening) {
    const std::optional<ByteOrder> order = order_of_magic(opening.bytes);
    if (!order) return 0;
    if (opening.bytes.size() < fixed_size(kHeader)) return 80;
    const View<kHeader> header(opening.bytes.data(), 0, *order, kNone);
    const uint64_t size = header.get<"total_size">();
    return header.get<"version">() <= 16 && size >= 40 && size <= 4096 ? 100 : 90;
}

void validate(Window& window, Inspection& inspection) {
    Extension none;
    Walk(window, inspection, none).run();
}

// All rules in the order of the digest's tables.
constexpr auto kRules = joined(kHeaderRules, kFramingRules, kCodeRules, kDebugInfoRules, kUnwindingRules, kWalkRules);

constexpr auto kRows = rows_of(kMachine, kPhaseNames, kSymbolNames, Phase::stopped);

}  // namespace
}  // namespace jitdump

constinit const Format kJitdump{
    .id = "jitdump",
    .title = "perf JIT dump",
    .spec = "Linux tools/perf/Documentation/jitdump-specification.txt, revision 2",
    .recognise = jitdump::recognise,
    .validate = jitdump::validate,
    .records = jitdump::kRecords,
    .rules = jitdump::kRules,
    .machine = jitdump::kRows,
    .framer = jitdump::make_framer,
    .model = jitdump::make_model,
    .faults = jitdump::planted_faults,
};

}  // namespace tracelint
