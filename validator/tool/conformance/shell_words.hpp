// Splits a command as a shell does, without running one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

// What a command has that only a shell can carry out, or that it lacks.
struct ShellFault {
    std::string message;
};

// The words of a command, with the quotes and backslashes of POSIX's shell. Throws ShellFault for a command without
// words or with an open quote, and for operators, variables and patterns outside quotes.
std::vector<std::string> shell_words(std::string_view command);

}  // namespace tracelint
