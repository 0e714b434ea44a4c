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

std::vector<std::string_view> field_names(const Format& format) {
    std::vector<std::string_view> names;
    for (const Record* record : records_of(format))
        for (const Field& field : record->fields())
            if (std::ranges::find(names, field.name) == names.end()) names.push_back(field.name);
    return names;
}

// Why nothing, or not what was asked for, is selected; empty if all is well.
std::string what_is_missing(const Selection& selection, const Format& format, Window& window, uint64_t records,
                            const Renderer& renderer) {
    if (selection.around && !window.reaches(saturating_add(*selection.around, 1)))
        return fmt::format("--around: {:#x} is beyond the end of the trace, which has {}", *selection.around,
                           counted(window.size(), "byte"));
    if (renderer.has_written() || selection.is_all()) return {};
    if (selection.field.is_given())
        return fmt::format("--field: no record that is asked for has a field {}{}", printable(selection.field.text()),
                           did_you_mean(selection.field.text(), field_names(format)));
    if (!selection.kind.empty())
        return fmt::format("--only: no record that is asked for is a {}", printable(selection.kind));
    return fmt::format("--records: there is no record {}; the trace has {}", selection.first,
                       counted(records, "record"));
}

TextStyle style_of(const DumpLine& line) {
    if (!line.new_file.empty()) return {.width = 0, .colour = line.colour == Colour::always};
    return {.width = terminal_width(), .colour = wants_colour(line.colour)};
}

// Why the dump must not go where the command line says; empty if it may.
std::string what_is_wrong_with_output(const DumpLine& line) {
    const auto input = regular_file(line.file);
    if (!line.new_file.empty())
        return input && input == regular_file(line.new_file) ? "-o is the input; write to another file" : "";
    if (input && input == regular_file(STDOUT_FILENO))
        return "standard output is redirected to this input; send it to another file";
    if (line.writes_bytes && isatty(STDOUT_FILENO) == 1)
        return "refusing to write binary data to a terminal; use -o FILE or redirect the output";
    return {};
}

// Dumps the trace in an opened input. Errors go to standard error.
ExitStatus dump_trace(Source& trace, const DumpLine& line) {
    const std::string path = shown_path(line.file);
    DumpContext context(line.limits);
    Window window(trace, nullptr, &context.budget);
    const Format* format =
        line.recognition.as != nullptr ? line.recognition.as : recognise(formats(), window, line.file);
    const auto file = line.new_file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(line.new_file);
    FileSink& sink = *file;
    ExitStatus status = kClean;
    if (format != nullptr) {
        const auto make = line.writes_bytes ? make_bytes_renderer : line.kind->make;
        const std::unique_ptr<Renderer> renderer =
            make({line.file, format->id, style_of(line)}, line.selection, context, sink);
        renderer->start();
        const uint64_t records = walk_records(window, *format->framer(line.settings), context, *renderer);
        renderer->finish();
        if (const std::string missing = what_is_missing(line.selection, *format, window, records, *renderer);
            !missing.empty()) {
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
        return finish_output(sink, line.new_file, worse(status, kUnreadable));
    }
    if (format == nullptr) {
        const Diagnostic finding = unrecognised(window.view(0, kDetectionBytes));
        complain(fmt::format("{}: {}{}{}", path, message_of(finding), finding.hint.empty() ? "" : "; ", finding.hint));
        return kFindings;
    }
    if (status == kUsage && !line.new_file.empty()) return status;  // there is nothing to write
    return finish_output(sink, line.new_file, status);
}

}  // namespace

ExitStatus run_dump(const DumpLine& line) {
    const std::string& path = line.file;
    if (const std::string wrong = what_is_wrong_with_output(line); !wrong.empty()) {
        complain(fmt::format("{}: {}", shown_path(path), wrong));
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
