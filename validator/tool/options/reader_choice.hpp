// The readers that the user names.
#pragma once

#include <string>
#include <vector>

#include "validator/readers/reader.hpp"

namespace tracelint {

// "perf", the newest version for each format; "perf@6.1"; "any" for the newest of all. Empty: there is none of this
// name or version.
std::vector<const TraceReader*> readers_named(std::string_view word);

// The names that there are, each once; the versions of one of them.
std::vector<std::string_view> reader_names();
std::vector<std::string_view> versions_of(std::string_view name);

// The words of --for: the names, any, list, and "perf@6.1" for each version of each, once.
std::vector<std::string> reader_words();

// What --for list prints: a line for each reader.
std::string reader_list();

}  // namespace tracelint
