// `dump`: opens the file and its container, recognises the format, prints the records.
#include <fmt/core.h>
#include <unistd.h>

#include "validator/input/foreign_formats.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/outputs.hpp"

namespace tracelint {
namespace {

// Why nothing, or not what was asked for, is selected; empty if all is well.
std::string what_is_missing(const Selection& selection, Window& window, uint64_t records, const Renderer& renderer) {
    if (selection.around && !window.reaches(saturating_add(*selection.around, 1)))
        return fmt::format("--around: {:#x} is beyond the end of the trace, which has {}", *selection.around,
                           counted(window.size(), "byte"));
    if (renderer.has_written() || selection.is_all()) return {};
    if (!selection.kind.empty())
        return fmt::format("--only: no record that is asked for is a {}", printable(selection.kind));
    return fmt::format("--records: there is no record {}; the trace has {}", selection.first,
                       counted(records, "record"));
}

// Dumps the trace in an opened input. Errors go to standard error.
ExitStatus dump_trace(Source& trace, const DumpLine& line) {
    const std::string path = shown_path(line.file);
    DumpContext context(line.limits);
    Window window(trace, nullptr, &context.budget);
    const Format* format =
        line.recognition.as != nullptr ? line.recognition.as : recognise(formats(), window, line.file);
    FileSink sink;
    ExitStatus status = kClean;
    if (format != nullptr) {
        const Dumped dumped{line.file, format->id, {terminal_width(), wants_colour(line.colour)}};
        const std::unique_ptr<Renderer> renderer = line.kind->make(dumped, line.selection, context, sink);
        renderer->start();
        const uint64_t records = walk_records(window, *format->framer(line.settings), context, *renderer);
        renderer->finish();
        if (const std::string missing = what_is_missing(line.selection, window, records, *renderer); !missing.empty()) {
            complain(fmt::format("{}: {}", path, missing));
            status = kUsage;
        }
    }
    if (!context.left_out.empty()) {
        complain(fmt::format("{}: {}", path, context.left_out));
        status = worse(status, kInternal);
    }
    if (const std::string failure = trace.failure(); !failure.empty()) {
        complain(fmt::format("{}: {}", path, failure));
        return finish_output(sink, "", worse(status, kUnreadable));
    }
    if (format == nullptr) {
        const Diagnostic finding = unrecognised(window.view(0, kDetectionBytes));
        complain(fmt::format("{}: {}{}{}", path, message_of(finding), finding.hint.empty() ? "" : "; ", finding.hint));
        return kFindings;
    }
    return finish_output(sink, "", status);
}

}  // namespace

ExitStatus run_dump(const DumpLine& line) {
    const std::string& path = line.file;
    if (const auto input = regular_file(path); input && input == regular_file(STDOUT_FILENO)) {
        complain(
            fmt::format("{}: standard output is redirected to this input; send it to another file", shown_path(path)));
        return kUsage;
    }
    const std::unique_ptr<Source> source = open_input(path);
    Budget budget(line.limits.memory);
    OpenedInput input(*source, budget);
    const ExitStatus status = dump_trace(input.trace(), line);
    if (const Diagnostic* fault = input.container_fault())
        complain(fmt::format("{}: {}", shown_path(path), message_of(*fault)));
    return status;
}

}  // namespace tracelint
