#include "fuzz/tool/everything_oracle.hpp"

#include <algorithm>

#include "fuzz/memory_file.hpp"
#include "fuzz/tool/dump_oracle.hpp"
#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/readers_oracle.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// Bounds for each byte of the file, or of what its container holds: for one question, and for all of them together,
// which are four. Whatever the size, the start of the file may be read once more for each of the readers.
constexpr uint64_t kQuestionPerByte = 2 * kWorkPerByte;
constexpr uint64_t kEverythingPerByte = 4 * kWorkPerByte;
constexpr uint64_t kEverythingAtLeast = 16 * kDetectionBytes;

// What the questions cost, in units of work.
struct EverythingCost {
    uint64_t size = 0;  // bytes of the file or, if these are more, of what was decompressed of it
    uint64_t check = 0, readers = 0, dumps = 0, page = 0;

    uint64_t total() const { return check + readers + dumps + page; }
};

std::string text_of(const EverythingCost& cost) {
    return std::to_string(cost.total()) + " units of work for " + std::to_string(cost.size) + " bytes: check " +
           std::to_string(cost.check) + ", readers " + std::to_string(cost.readers) + ", dumps " +
           std::to_string(cost.dumps) + ", page " + std::to_string(cost.page);
}

// Each of them asks one question, adds to the cost, and returns what is wrong with the answer.

Complaint ask_for_dumps(Bytes bytes, EverythingCost& cost) {
    for (const DumpKind& kind : dump_kinds()) {
        if (kind.name == "ndjson") continue;  // the objects of JSON
        MemorySource source(bytes);
        const DumpCost of_kind = dump_cost(source, kind);
        cost.dumps += of_kind.work;
        cost.size = std::max(cost.size, of_kind.size);
        if (!of_kind.is_known) continue;
        if (Complaint complaint = fault_of(of_kind)) return std::string(kind.name) + ": " + *complaint;
    }
    return std::nullopt;
}

Complaint ask_for_page(Bytes bytes, const ReaderCheck& judged, const Outcome& outcome, EverythingCost& cost) {
    const MemoryFile file(bytes);
    Checked checked{file.path(), outcome};
    checked.readers = judged.verdicts();
    WorkCounter work;
    WriterOptions options;
    options.work = &work;
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind("html")->make(sink, options);
    writer->begin();
    writer->file(checked);
    writer->finish({});
    cost.page += work.total();
    return html_agrees(sink.text, checked, outcome.container == Container::none ? std::optional(bytes) : std::nullopt);
}

}  // namespace

Complaint everything(Bytes bytes) {
    static const std::vector<const TraceReader*> readers = some_readers(true);
    EverythingCost cost;
    const CheckOptions options;
    ReaderCheck judged(readers, options);
    MemorySource source(bytes);
    Outcome outcome = check(source, judged.all_findings());
    cost.size = std::max<uint64_t>(bytes.size(), outcome.size.value_or(0));
    cost.check = outcome.context.work.total();
    judged.judge(outcome, source);
    cost.readers = outcome.context.work.total() - cost.check;
    if (Complaint complaint = fault_of(outcome, judged.verdicts(), cost.size)) return complaint;
    if (Complaint complaint = ask_for_page(bytes, judged, outcome, cost)) return complaint;
    if (Complaint complaint = ask_for_dumps(bytes, cost)) return complaint;
    // Each kind of dump is a question of its own, which ask_for_dumps() has held to its bound.
    const uint64_t most = std::max({cost.check, cost.readers, cost.page});
    const bool is_within = most <= kQuestionPerByte * cost.size + kEverythingAtLeast &&
                           cost.total() <= kEverythingPerByte * cost.size + kEverythingAtLeast;
    return is_within ? Complaint{} : text_of(cost);
}

}  // namespace tracelint
