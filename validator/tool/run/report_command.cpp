// `report`: shrinks and redacts a file, and writes the finding up as markdown.
#include <fmt/core.h>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/shrinking.hpp"
#include "validator/tool/shrink/shrink_report.hpp"

namespace tracelint {

ExitStatus run_report(const ReportLine& line) {
    const std::string& path = line.shrinking.file;
    const auto input = regular_file(path);
    if (input && !line.new_file.empty() && input == regular_file(line.new_file)) {
        complain(fmt::format("-o: {} is the input; report writes another file", shown_path(line.new_file)));
        return kUsage;
    }
    ShrinkRun run(line.shrinking, path, true, "report");
    const ExitStatus status = run.run();
    if (run.shrink() == nullptr || run.verdict() != ShrinkVerdict::shrunk) return status;
    if (run.has_changed()) {
        complain(fmt::format("{}: another process changed the file while it was read", shown_path(path)));
        return kUnreadable;
    }
    const auto sink = line.new_file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(line.new_file);
    write_issue({path, path, *line.shrinking.rule, run.verdict(), *run.shrink(), run.stopped_by()}, *sink);
    return finish_output(*sink, line.new_file, status);
}

}  // namespace tracelint
