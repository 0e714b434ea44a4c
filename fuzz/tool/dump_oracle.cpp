#include "fuzz/tool/dump_oracle.hpp"

#include "validator/recognise.hpp"
#include "validator/tool/dump/renderer.hpp"

namespace tracelint {
namespace {

// Bounds for each byte of the trace, and whatever the size. The record is framed once and decoded twice, for labels and
// for its lines; each of its numbers may ask for a label. The longest output is that of the shortest records: an event
// of nettrace has ten fields in 2 bytes, of which text shows the flags in one line. JSON has an object for each.
constexpr uint64_t kDumpWorkPerByte = kWorkPerByte;
constexpr uint64_t kTextPerByte = 256, kJsonPerByte = 512;
constexpr uint64_t kDumpAtLeast = 2 * kDetectionBytes;
// For a doubling of the file. More than twice, as the window's buffer grows by powers of two.
constexpr double kMostDumpGrowth = 2.5;

class CountingSink final : public Sink {
  public:
    void write(std::string_view text) override { written += text.size(); }
    uint64_t written = 0;
};

}  // namespace

uint64_t most_dumped(const DumpKind& kind, uint64_t size) {
    return (kind.name == "text" ? kTextPerByte : kJsonPerByte) * size + kDumpAtLeast;
}

DumpCost dump_cost(Source& source) { return dump_cost(source, dump_kinds().front()); }

DumpCost dump_cost(Source& source, const DumpKind& kind) {
    DumpContext context({});
    OpenedInput input(source, context.budget);
    CountingSink sink;
    Window window(input.trace(), &context.work, &context.budget);
    const Format* format = recognise(formats(), window, "");
    if (format != nullptr) {
        const Selection all;
        const std::unique_ptr<Renderer> renderer = kind.make({"-", format->id}, all, context, sink);
        renderer->start();
        walk_records(window, *format->framer({}), context, *renderer);
        renderer->finish();
    }
    window.reaches(kNone);
    return {window.size(), context.work.total(), sink.written, most_dumped(kind, window.size()), format != nullptr};
}

Complaint fault_of(const DumpCost& cost) {
    if (!cost.is_known) return "dump: not recognised";
    if (cost.work > kDumpWorkPerByte * cost.size + kDumpAtLeast)
        return "dump: " + std::to_string(cost.work) + " units of work for " + std::to_string(cost.size) + " bytes";
    if (cost.written > cost.most)
        return "dump: " + std::to_string(cost.written) + " bytes written for " + std::to_string(cost.size) + " bytes";
    return std::nullopt;
}

Complaint fault_of(const DumpCost& cost, const DumpCost& smaller) {
    const double most = kMostDumpGrowth / 2 * static_cast<double>(cost.size) / static_cast<double>(smaller.size);
    const auto grows = [&](uint64_t before, uint64_t now) {
        return static_cast<double>(now) > most * static_cast<double>(before) + kDumpAtLeast;
    };
    if (grows(smaller.work, cost.work)) return "dump: work grows too fast";
    if (grows(smaller.written, cost.written)) return "dump: its text grows too fast";
    return fault_of(cost);
}

}  // namespace tracelint
