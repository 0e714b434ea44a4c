// Opens the outputs, and passes results to their writers.
#include "validator/tool/run/outputs.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>

#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

bool wants_colour(const CommandLine& line) {
    if (line.colour != Colour::when_terminal) return line.colour == Colour::always;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
    return (no_colour == nullptr || *no_colour == '\0') && !dumb && isatty(STDOUT_FILENO) == 1;
}

}  // namespace

ExitStatus Outputs::open(const CommandLine& line, const Make& make) {
    for (const Output& output : line.outputs) {
        if (output.file.empty() && line.quiet) continue;
        WriterOptions options;
        options.min_severity = line.min_severity;
        options.fail_on = line.fail_on;
        options.statistics = line.statistics;
        options.fold_notes = !line.notes;
        options.summary = line.summary;
        options.colour = output.file.empty() ? wants_colour(line) : line.colour == Colour::always;
        const bool is_part = !output.file.empty() && line.makes_parts() && output.kind->name == "ndjson";
        auto sink = output.file.empty() ? std::make_unique<FileSink>()
                                        : std::make_unique<FileSink>(output.file, is_part ? Durable::yes : Durable::no);
        if (sink->failure() != 0) {
            complain_unwritable(output.file, sink->failure());
            return kInternal;
        }
        for (const Opened& before : opened_) {
            if (!sink->is_same_file(*before.sink)) continue;
            complain(fmt::format("--output: more than one output to {}",
                                 printable(output.file.empty() ? before.name : output.file)));
            return kUsage;
        }
        auto writer = make ? make(*output.kind, *sink, options) : output.kind->make(*sink, options);
        opened_.push_back({output.file, is_part, std::move(sink), std::move(writer)});
    }
    return kClean;
}

void Outputs::begin() {
    each([](Writer& writer) { writer.begin(); });
}

void Outputs::file(const Checked& checked) {
    each([&](Writer& writer) { writer.file(checked); });
}

bool Outputs::all_failed() const {
    for (const Opened& output : opened_)
        if (output.sink->failure() == 0) return false;
    return !opened_.empty();
}

ExitStatus Outputs::finish(const Summary& summary, ExitStatus status) {
    each([&](Writer& writer) { writer.finish(summary); });
    for (Opened& output : opened_) {
        if (output.is_part && !summary.incomplete.empty()) {
            output.sink->discard();
            complain(fmt::format("{} is not written: the shard is not finished", printable(output.name)));
            continue;
        }
        status = finish_output(*output.sink, output.name, status);
    }
    return status;
}

// Adds one result to the summary and returns the exit status that it demands.
ExitStatus tally(const Checked& checked, const CommandLine& line, Summary& summary) {
    const Outcome& outcome = checked.outcome;
    uint64_t failing = 0;
    std::optional<Severity> worst;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
        if (checked.count_new(severity) != 0) worst = severity;
        if (line.fail_on && severity >= *line.fail_on) failing += checked.count_new(severity);
    }
    // What a reader does with the file counts whatever is listed.
    if (line.fail_on && checked.known == nullptr)
        for (const ReaderVerdict& verdict : checked.readers)
            if (severity_of(verdict.outcome) >= line.fail_on) ++failing;
    ++summary.files;
    ++(!outcome.failure.empty() ? summary.unreadable : worst ? summary.with_findings : summary.clean);
    if (outcome.failure.empty() && worst) ++summary.with_worst_of[static_cast<size_t>(*worst)];
    ExitStatus status = failing != 0 ? kFindings : kClean;
    if (!outcome.failure.empty()) status = worse(status, kUnreadable);
    if (outcome.context.limit_hit) status = worse(status, kInternal);
    return status;
}

}  // namespace tracelint
