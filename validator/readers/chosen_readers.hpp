// Readers by the words that users have for them.
#pragma once

#include <string_view>
#include <vector>

#include "validator/readers/reader.hpp"

namespace tracelint {

// "perf", the newest version for each format; "perf@6.1"; "any" for the newest of all. Empty if no reader has this name
// or version.
std::vector<const TraceReader*> readers_named(std::string_view word);

// The names that there are, each once; the versions of one of them.
std::vector<std::string_view> reader_names();
std::vector<std::string_view> versions_of(std::string_view name);

// Those that a user chose, for ReaderCheck.
struct ChosenReaders {
    std::vector<const TraceReader*> readers{};  // each once
    std::vector<const TraceReader*> older{};    // earlier versions of those that were named without one

    // False: no reader has this name or version.
    bool add(std::string_view word);
    bool empty() const { return readers.empty(); }
};

}  // namespace tracelint
