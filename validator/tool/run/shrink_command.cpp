// `shrink`: writes the smallest file that still has a finding.
#include <fmt/core.h>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/shrinking.hpp"
#include "validator/tool/shrink/shrink_report.hpp"

namespace tracelint {
namespace {

// Writes the shrunk file. It gets its name when all of it is written.
ExitStatus write_shrunk(ShrinkRun& run, const ShrinkLine& line, ExitStatus status) {
    FileSink sink(line.new_file);
    const std::string failure = run.shrink()->copy([&](Bytes bytes) {
        sink.write(as_text(bytes));
        return sink.failure() == 0;
    });
    if (!failure.empty() || run.has_changed()) {
        sink.discard();
        complain(fmt::format("{}: {}", shown_path(line.shrinking.file),
                             failure.empty() ? "another process changed the file while it was read" : failure));
        return kUnreadable;
    }
    return finish_output(sink, line.new_file, status);
}

}  // namespace

ExitStatus run_shrink(const ShrinkLine& line) {
    const auto input = regular_file(line.shrinking.file);
    if (input && input == regular_file(line.new_file)) {
        complain(fmt::format("-o: {} is the input; shrink writes another file", shown_path(line.new_file)));
        return kUsage;
    }
    ShrinkRun run(line.shrinking, line.new_file, line.redacts, "shrink");
    ExitStatus status = run.run();
    if (run.shrink() == nullptr) return status;
    const bool is_shrunk = run.verdict() == ShrinkVerdict::shrunk;
    bool is_written = false;
    if (is_shrunk) {
        const ExitStatus before = status;
        status = write_shrunk(run, line, status);
        is_written = status == before;
    }
    if (!is_written && (is_shrunk || line.output.kind->name == "text")) return status;
    const Output& output = line.output;
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    const ShrunkFile shrunk{line.shrinking.file, line.new_file, *line.shrinking.rule,
                            run.verdict(),       *run.shrink(), run.stopped_by()};
    (output.kind->name == "json" ? write_shrink_json : write_shrink_text)(shrunk, *sink);
    return worse(status, finish_output(*sink, output.file, kClean));
}

}  // namespace tracelint
