// `conform`: runs a reader over the conformance corpus.
#include <fmt/core.h>

#include "validator/tool/conformance/scoreboard.hpp"
#include "validator/tool/conformance/temporary_folder.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

ExitStatus report(const Scoreboard& board, const Output& output) {
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    if (output.kind->name == "json")
        write_scoreboard_json(board, *sink);
    else if (output.kind->name == "junit")
        write_scoreboard_junit(board, *sink);
    else
        write_scoreboard_text(board, *sink);
    return finish_output(*sink, output.file, board.has_wrong() ? kFindings : kClean);
}

// The sandbox that the user wants, after a complaint about what the system lacks of it.
Sandbox sandbox_for(const ConformLine& line) {
    if (line.without_sandbox) return {};
    const Sandbox sandbox = available_sandbox();
    if (const std::string lacking = unguarded(sandbox); !lacking.empty())
        complain(fmt::format("this system has no sandbox for {}; the reader runs without", lacking));
    return sandbox;
}

}  // namespace

ExitStatus run_conform(const ConformLine& line) {
    std::string failure;
    const std::unique_ptr<ConformanceCorpus> corpus =
        line.corpus.empty() ? embedded_corpus(line.format, failure) : corpus_in(line.corpus, line.format, failure);
    if (corpus == nullptr) {
        complain(failure);
        return kUnreadable;
    }
    const Sandbox sandbox = sandbox_for(line);
    const TemporaryFolder scratch;
    if (!line.without_sandbox && scratch.path().empty()) {
        complain(kNoScratch);
        return kUnreadable;
    }
    const RunnerOptions options{.words = line.words,
                                .seconds = line.seconds,
                                .memory = line.memory,
                                .crash_statuses = line.crash_statuses,
                                .jobs = line.jobs,
                                .sandbox = sandbox,
                                .scratch = line.without_sandbox ? std::string() : scratch.path()};
    const RunnerFiles files{corpus->entries().size(), [&](size_t file) { return corpus->place(file); },
                            [&](size_t file) { corpus->release(file); }};
    const auto runs = run_reader(options, files, failure);
    if (!runs) {
        complain(failure);
        return kUsage;
    }
    const ExitStatus status = report({line.command, line.corpus, sandbox, corpus->entries(), *runs}, line.output);
    if (runs->size() == corpus->entries().size()) return status;
    complain(fmt::format("ended by a signal: {} of {} files were run", runs->size(), corpus->entries().size()));
    return worse(status, kInternal);
}

}  // namespace tracelint
