// Runs the command that the arguments name; helpers that commands share.
#include "validator/tool/run/commands.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "validator/tool/inputs/file_list.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_parser.hpp"

namespace tracelint {
namespace {

ExitStatus print(const std::string& text) {
    FileSink out;
    out.write(text);
    return finish_output(out, "", kClean);
}

ExitStatus run_line(const CheckLine& line) { return run_check(line); }
ExitStatus run_line(const RulesLine& line) { return run_rules(line); }
ExitStatus run_line(const ExplainLine& line) { return run_explain(line); }
ExitStatus run_line(const DumpLine& line) { return run_dump(line); }
ExitStatus run_line(const GenerateLine& line) { return run_generate(line); }
ExitStatus run_line(const MergeLine& line) { return run_merge(line); }
ExitStatus run_line(const SalvageLine& line) { return run_salvage(line); }
ExitStatus run_line(const ShrinkLine& line) { return run_shrink(line); }
ExitStatus run_line(const ReportLine& line) { return run_report(line); }
ExitStatus run_line(const MutateLine& line) { return run_mutate(line); }
ExitStatus run_line(const DictionaryLine& line) { return run_dictionary(line); }
ExitStatus run_line(const ConformLine& line) { return run_conform(line); }
ExitStatus run_line(const DescribeLine& line) { return run_describe(line); }

// The configuration is read once the command line has named it.
Parsed parse_with_configuration(const std::vector<std::string>& arguments) {
    Parsed parsed = parse_command_line(arguments);
    const CheckLine* const line = std::get_if<CheckLine>(&parsed.command_line);
    if (line == nullptr || !parsed.error.empty()) return parsed;
    if (!parsed.answer.empty() && !line->configuration.is_shown) return parsed;
    try {
        const std::shared_ptr<const Configuration> configuration = load_configuration(line->configuration);
        return configuration == nullptr ? parsed : parse_command_line(arguments, configuration);
    } catch (const UsageError& error) {
        parsed.error = error.message;
        return parsed;
    }
}

ExitStatus run_arguments(const std::vector<std::string>& arguments) {
    const Parsed parsed = parse_with_configuration(arguments);
    if (!parsed.error.empty()) {
        complain(parsed.error);
        return kUsage;
    }
    if (!parsed.answer.empty()) return print(parsed.answer);
    return std::visit([](const auto& line) { return run_line(line); }, parsed.command_line);
}

// In pieces, because there may be no memory to join them.
void complain_of(const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    for (const char* piece :
         {"tracelint: ", memory ? "" : "internal error: ", memory ? "out of memory" : error.what(), "\n"})
        std::fputs(piece, stderr);
}

// Exceptions that leave a destructor cannot be caught; those of nlohmann/json, which allocate, may throw one.
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

// An opened file gets the lowest free descriptor. If that were a standard stream's, messages would go to an output
// file. Closed standard streams are therefore replaced by ones on which every read or write fails.
void occupy_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        if (open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

}  // namespace

ExitStatus add_listed(const FileLists& lists, std::vector<std::string>& names) {
    for (const std::string& path : lists.names) {
        const std::unique_ptr<Source> source = open_input(path);
        FileList list(lists.null_separated ? '\0' : '\n');
        read_file_list(*source, list);
        const std::string failure = source->failure();
        if (!failure.empty() || !list.fault().empty()) {
            complain(fmt::format("--files-from: {}: {}", shown_path(path), failure.empty() ? list.fault() : failure));
            return failure.empty() ? kUsage : kUnreadable;
        }
        if (list.names().empty()) complain(fmt::format("--files-from: {} lists no file", shown_path(path)));
        for (const std::string& name : list.names()) names.push_back(name == "-" ? "./-" : name);
    }
    return kClean;
}

bool can_read_again(Source& file, const std::string& path, std::string_view command) {
    if (!file.failure().empty() || file.seek(0)) return true;  // a failure is reported when it is read
    uint8_t byte = 0;
    const bool is_empty = regular_file(path).has_value() && file.read(&byte, 1) == 0;
    complain(is_empty ? fmt::format("{}: is empty", shown_path(path))
                      : fmt::format("{}: {} reads a file several times, and this one can be read only once",
                                    shown_path(path), command));
    return false;
}

void complain(std::string_view message) {
    const std::string text = fmt::format("tracelint: {}\n", message);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void complain_unwritable(const std::string& name, int failure) {
    complain(
        fmt::format("cannot write {}: {}", name.empty() ? "standard output" : printable(name), std::strerror(failure)));
}

ExitStatus finish_output(FileSink& sink, const std::string& name, ExitStatus status) {
    sink.close();
    const int failure = sink.failure();
    if (failure == 0 || failure == EPIPE) return status;
    complain_unwritable(name, failure);
    return worse(status, kInternal);
}

ExitStatus run(std::span<char* const> arguments) {
    std::set_terminate(end_uncaught);
    occupy_standard_descriptors();
    // Writing to a closed pipe, or beyond the shell's file size limit, then fails instead of killing the program.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run_arguments({arguments.begin(), arguments.end()});
    } catch (const std::exception& error) {
        complain_of(error);
        return kInternal;
    }
}

}  // namespace tracelint
