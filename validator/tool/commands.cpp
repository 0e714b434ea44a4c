// From arguments to a command, and what commands share.
#include "validator/tool/commands.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

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

ExitStatus run_arguments(std::vector<std::string> arguments) {
    const Parsed parsed = parse_command_line(std::move(arguments));
    if (!parsed.error.empty()) {
        complain(parsed.error);
        return kUsage;
    }
    return parsed.answer.empty() ? run_command(parsed.command_line) : print(parsed.answer);
}

// In pieces, since there may be no memory to join them.
void complain_of(const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    for (const char* piece :
         {"tracelint: ", memory ? "" : "internal error: ", memory ? "out of memory" : error.what(), "\n"})
        std::fputs(piece, stderr);
}

// An exception that meets a destructor, as those of nlohmann/json that need memory themselves, cannot be caught.
[[noreturn]] void end_uncaught() {
    const std::exception_ptr exception = std::current_exception();
    try {
        if (exception != nullptr) std::rethrow_exception(exception);
        throw std::logic_error("terminated");
    } catch (const std::exception& error) {
        complain_of(error);
    }
    std::_Exit(kInternal);
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

ExitStatus run(std::span<char* const> arguments) {
    std::set_terminate(end_uncaught);
    // A closed pipe is then an error of the write, which the sinks notice.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run_arguments({arguments.begin(), arguments.end()});
    } catch (const std::exception& error) {
        complain_of(error);
        return kInternal;
    }
}

}  // namespace tracelint
