// From arguments to a command, and what commands share.
#include "validator/tool/commands.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

ExitStatus print(const std::string& text) {
    FileSink out;
    out.write(text);
    return finish_output(out, "", kClean);
}

ExitStatus run_command(const CommandLine& line) {
    switch (line.command) {
        case Command::check: return run_check(line);
        case Command::rules: return run_rules(line);
        case Command::explain: return run_explain(line);
        case Command::dump: return run_dump(line);
        case Command::generate: return run_generate(line);
    }
    return kInternal;
}

}  // namespace

void complain(std::string_view message) {
    std::string text = "tracelint: ";
    text += message;
    text += '\n';
    std::fwrite(text.data(), 1, text.size(), stderr);
}

ExitStatus finish_output(FileSink& sink, const std::string& name, ExitStatus status) {
    sink.close();
    const int failure = sink.failure();
    if (failure == 0 || failure == EPIPE) return status;
    complain("cannot write " + (name.empty() ? "standard output" : printable(name)) + ": " + std::strerror(failure));
    return worse(status, kInternal);
}

ExitStatus run(std::vector<std::string> arguments) {
    // A closed pipe is then an error of the write, which the sinks notice.
    std::signal(SIGPIPE, SIG_IGN);
    const Parsed parsed = parse_command_line(std::move(arguments));
    if (!parsed.error.empty()) {
        complain(parsed.error);
        return kUsage;
    }
    try {
        return parsed.answer.empty() ? run_command(parsed.command_line) : print(parsed.answer);
    } catch (const std::exception& error) {
        complain(std::string("internal error: ") + error.what());
        return kInternal;
    }
}

}  // namespace tracelint
