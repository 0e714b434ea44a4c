// Completions for shells, made from the tables of options, outputs, formats and rules. Rules are completed in two
// steps, first the prefix, then the rest, because nobody reads a list of 400.
#pragma once

#include <string>

namespace tracelint {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace tracelint
