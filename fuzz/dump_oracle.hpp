// The oracle for dump: its time, memory and output are linear in the size of the file. A header of its own, since only
// tests and the complexity program link the tool.
#pragma once

#include "fuzz/oracles.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/dump/renderer.hpp"

namespace tracelint {

// Bounds for each byte of the trace, and whatever the size. The record is framed once and decoded twice, for labels and
// for its lines; each of its numbers may ask for a label. The longest output is that of the shortest records: an event
// of nettrace has ten fields in 2 bytes, of which text shows the flags in one line. JSON has an object for each.
inline constexpr uint64_t kDumpWorkPerByte = kWorkPerByte;
inline constexpr uint64_t kTextPerByte = 256, kJsonPerByte = 512;
inline constexpr uint64_t kDumpAtLeast = 2 * kDetectionBytes;
// For a doubling of the file. More than twice, as the window's buffer grows by powers of two.
inline constexpr double kMostDumpGrowth = 2.5;

inline uint64_t most_dumped(const DumpKind& kind, uint64_t size) {
    return (kind.name == "text" ? kTextPerByte : kJsonPerByte) * size + kDumpAtLeast;
}

// What one dump costs.
struct DumpCost {
    uint64_t size = 0;     // bytes of the trace; decompressed ones if there is a container
    uint64_t work = 0;     // bytes looked at, as counted
    uint64_t written = 0;  // bytes of output
    uint64_t most = 0;     // that the kind may write
    bool is_known = false;
};

// Dumps the input without keeping the text.
inline DumpCost dump_cost(Source& source, const DumpKind& kind = dump_kinds().front()) {
    class CountingSink final : public Sink {
      public:
        void write(std::string_view text) override { written += text.size(); }
        uint64_t written = 0;
    };
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

// What is wrong with the cost; nothing if it is within its bounds. Only builds with agreement checks count the work.
inline Complaint fault_of(const DumpCost& cost) {
    if (!cost.is_known) return "dump: not recognised";
    if (cost.work > kDumpWorkPerByte * cost.size + kDumpAtLeast)
        return "dump: " + std::to_string(cost.work) + " units of work for " + std::to_string(cost.size) + " bytes";
    if (cost.written > cost.most)
        return "dump: " + std::to_string(cost.written) + " bytes written for " + std::to_string(cost.size) + " bytes";
    return std::nullopt;
}

// The same for a file of which the smaller one is a shorter version.
inline Complaint fault_of(const DumpCost& cost, const DumpCost& smaller) {
    const double most = kMostDumpGrowth / 2 * static_cast<double>(cost.size) / static_cast<double>(smaller.size);
    const auto grows = [&](uint64_t before, uint64_t now) {
        return static_cast<double>(now) > most * static_cast<double>(before) + kDumpAtLeast;
    };
    if (grows(smaller.work, cost.work)) return "dump: work grows too fast";
    if (grows(smaller.written, cost.written)) return "dump: its text grows too fast";
    return fault_of(cost);
}

}  // namespace tracelint
