// What the baseline says of the findings of one file, and of a run, as plain data for the writers.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/report/report.hpp"

namespace tracelint {

inline constexpr std::string_view kNoReason = "no reason given";  // where an entry has none

// An entry of a baseline.
struct BaselineEntry {
    std::string path;  // pattern, relative to the folder of the baseline
    const Rule* rule = nullptr;
    uint64_t count = 0;                              // findings that each file may have; at least 1
    std::string reason{};                            // why they are accepted
    std::optional<std::chrono::sys_days> expires{};  // the last day, in UTC, on which the entry counts
    size_t line = 0;                                 // in the text, from 1
};

// The findings of a rule in a file are all known, or all new: an entry has no offsets to distinguish them.
struct KnownFindings {
    struct Surplus {
        uint64_t found = 0, allowed = 0;
    };
    std::map<std::string_view, const BaselineEntry*> known;  // by the ids of the rules
    std::map<std::string_view, Surplus> surplus;             // rules with more findings than an entry allows

    bool covers(const Rule& rule) const { return known.contains(rule.id); }
    // How many findings of a severity are known.
    uint64_t count(const Report& report, Severity severity) const {
        uint64_t count = 0;
        for (const auto& [id, entry] : known) count += report.count(*entry->rule, severity);
        return count;
    }
    uint64_t count(const Report& report) const {
        uint64_t count = 0;
        for (const auto& [id, entry] : known) count += report.count(*entry->rule);
        return count;
    }
};

// An entry that allows for more than there is, or that does not count any more.
struct StaleEntry {
    enum class Why : uint8_t {
        fewer,    // no file has as many findings
        no_file,  // it matches no file of the run
        expired,  // its last day is over
    };
    const BaselineEntry* entry = nullptr;
    Why why = Why::fewer;
    uint64_t found = 0;  // the most findings that a file has
};

std::string_view to_string(StaleEntry::Why why);

// The baseline of a run, when all files were checked.
struct BaselineSummary {
    std::string name;    // as messages name it
    uint64_t known = 0;  // findings
    std::vector<StaleEntry> stale;
};

}  // namespace tracelint
