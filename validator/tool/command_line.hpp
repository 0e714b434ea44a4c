// The command line as a plain struct. Parsing says what is wrong with it; it does nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/tool/writer.hpp"

namespace tracelint {

enum class Command : uint8_t { check, rules, explain, dump, generate };
enum class Colour : uint8_t { when_terminal, always, never };

struct Output {
    const WriterKind* kind = nullptr;
    std::string file;  // empty: standard output
};

struct CommandLine {
    Command command = Command::check;
    std::vector<std::string> files;  // check: as given; dump: the one
    std::vector<Output> outputs;     // check; rules: at most one, json or text
    const Format* as = nullptr;
    std::optional<Severity> fail_on = Severity::error;  // nothing: never
    Severity min_severity = Severity::note;
    RuleFilter filter;
    size_t max_per_rule = kShownPerRule;
    Limits limits;
    Settings settings;  // of the grammars' own options
    unsigned jobs = 1;
    bool quiet = false;
    bool statistics = false;
    Colour colour = Colour::when_terminal;

    const Rule* rule = nullptr;      // explain; generate: to violate
    const Format* format = nullptr;  // generate
    uint64_t seed = 1;
    uint64_t size = 4096;
    std::string generate_to;  // empty: standard output
};

struct Parsed {
    CommandLine command_line;
    std::string answer;  // to print and leave with success: help, version
    std::string error;   // what is wrong with the command line
};

// `arguments` without the program's name. Never throws.
Parsed parse_command_line(std::vector<std::string> arguments);

// The commands, for guesses at what a file that does not exist was meant to be.
std::span<const std::string_view> command_names();

}  // namespace tracelint
