// What the commands do, one function each. They return the exit status.
#pragma once

#include "validator/tool/command_line.hpp"
#include "validator/tool/status.hpp"

namespace tracelint {

// Parses and runs; never throws. `arguments` without the program's name.
ExitStatus run(std::span<char* const> arguments);

ExitStatus run_check(const CommandLine& line);
ExitStatus run_rules(const CommandLine& line);
ExitStatus run_explain(const CommandLine& line);
ExitStatus run_dump(const CommandLine& line);
ExitStatus run_generate(const CommandLine& line);

// "tracelint: message" on standard error.
void complain(std::string_view message);

// Flushes. A reader that went away (EPIPE) ends the output quietly and changes nothing; any other failure
// gets a message and kInternal.
ExitStatus finish_output(FileSink& sink, const std::string& name, ExitStatus status);

}  // namespace tracelint
