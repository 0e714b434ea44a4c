// The baseline: a file that lists the findings that a project knows and accepts for now. An entry names no offsets, as
// traces are recorded anew for each run; it allows a number of findings of one rule in each file that its pattern
// matches.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "validator/tool/json/known_findings.hpp"

namespace tracelint {

inline constexpr size_t kLargestBaseline = size_t{4} << 20;     // bytes
inline constexpr size_t kMostEntries = 20'000;                  // of a baseline
inline constexpr size_t kMostBaselineGlobs = size_t{64} << 10;  // bytes of all patterns that may match several paths

struct Baseline {
    std::string name;                     // as messages name it
    std::string folder;                   // absolute
    std::optional<std::string> schema{};  // the "$schema" of the text
    std::vector<BaselineEntry> entries;
};

// Reads a text. Throws UsageError, whose message names line and column.
Baseline parse_baseline_text(std::string name, const std::string& text);

// The text of a baseline: one entry per line, in the order of the list.
std::string text_of(const Baseline& baseline);

// Reads the file. Throws UsageError if it cannot be read or is malformed.
Baseline load_baseline(const std::string& path);

// An empty baseline to be written to `path`.
Baseline new_baseline(const std::string& path);

// Today's date in UTC, or the one that the environment variable SOURCE_DATE_EPOCH gives. Throws UsageError if that is
// no number of seconds.
std::chrono::sys_days today();

}  // namespace tracelint
