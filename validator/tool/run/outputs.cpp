// Opens the outputs, and passes results to their writers.
#include "validator/tool/run/outputs.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMostColumns = 10'000;  // of a terminal

}  // namespace

bool wants_colour(Colour colour) {
    if (colour != Colour::when_terminal) return colour == Colour::always;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
    return (no_colour == nullptr || *no_colour == '\0') && !dumb && isatty(STDOUT_FILENO) == 1;
}

size_t terminal_width() {
    if (isatty(STDOUT_FILENO) != 1) return 0;
    const char* columns = std::getenv("COLUMNS");
    if (uint64_t wanted = 0; columns != nullptr && parse_size(columns, wanted) && wanted != 0 && wanted <= kMostColumns)
        return wanted;
#ifdef TIOCGWINSZ
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
#endif
    return 80;
}

ExitStatus Outputs::open(const Reporting& reporting, Use use, const Make& make) {
    for (const Output& output : reporting.outputs) {
        if (output.file.empty() && reporting.quiet) continue;
        WriterOptions options;
        const bool has_notes = reporting.notes || !output.kind->leaves_out_notes;
        options.min_severity = has_notes ? reporting.min_severity : std::max(reporting.min_severity, Severity::warning);
        options.shown_per_rule = reporting.shown_per_rule;
        options.fail_on = reporting.fail_on;
        options.statistics = reporting.statistics;
        options.fold_notes = !reporting.notes;
        options.summary = reporting.summary;
        options.colour = output.file.empty() ? wants_colour(reporting.colour) : reporting.colour == Colour::always;
        options.is_live = use == Use::follow;
        const bool is_part = !output.file.empty() && use == Use::shard && output.kind->name == "ndjson";
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

void Outputs::found(const Checked& so_far, const Diagnostic& diagnostic) {
    each([&](Writer& writer) { writer.found(so_far, diagnostic); });
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
        output.replaces_file = output.sink->replaces_file();
        status = finish_output(*output.sink, output.name, status);
    }
    return status;
}

void Outputs::print_written(const Summary& summary) const {
    std::string names;
    for (const Opened& output : opened_) {
        if (!output.replaces_file) return;
        if (output.sink->failure() == 0) names += (names.empty() ? "" : ", ") + printable(output.name);
    }
    if (names.empty()) return;
    FileSink sink;
    sink.write(fmt::format("{}; written: {}\n", totals_of(summary), names));
    sink.close();
}

// Adds one result to the summary and returns the exit status that it demands.
ExitStatus tally(const Checked& checked, std::optional<Severity> fail_on, Summary& summary) {
    const Outcome& outcome = checked.outcome;
    uint64_t failing = 0;
    std::optional<Severity> worst;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
        if (checked.count_new(severity) != 0) worst = severity;
        if (fail_on && severity >= *fail_on) failing += checked.count_new(severity);
    }
    // What a reader does with the file counts whatever is listed.
    if (fail_on && checked.known == nullptr)
        for (const ReaderVerdict& verdict : checked.readers)
            if (severity_of(verdict.outcome) >= fail_on) ++failing;
    ++summary.files;
    ++(!outcome.failure.empty() ? summary.unreadable : worst ? summary.with_findings : summary.clean);
    if (outcome.failure.empty() && worst) ++summary.with_worst_of[static_cast<size_t>(*worst)];
    ExitStatus status = failing != 0 ? kFindings : kClean;
    if (!outcome.failure.empty()) status = worse(status, kUnreadable);
    if (outcome.context.limit_hit) status = worse(status, kInternal);
    return status;
}

}  // namespace tracelint
