// The oracle for the command line: any arguments lead to usable options, an answer or an error, and no file is opened.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

// Splits a text into words, each ended by a newline or a NUL.
std::vector<std::string> words_of(std::string_view text);

Complaint command_line(const std::vector<std::string>& words);

}  // namespace tracelint
