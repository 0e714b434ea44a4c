// Wrong command lines, and the files and folders that a command line is made of.
#pragma once

#include <string>

namespace tracelint {

// A wrong command line. Thrown while it is parsed, and caught in parse_command_line().
struct UsageError {
    std::string message;
};

[[noreturn]] void refuse(std::string message);

// Reads a text file that is part of the command, at most one byte more than it may have. Throws UsageError.
std::string content_of(const std::string& path, size_t most);

// The working folder; empty if it was removed.
std::string working_folder();

}  // namespace tracelint
