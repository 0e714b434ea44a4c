// The sums of a part of a fleet's results. Each depends only on the set of files, so that parts can be merged in any
// order.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "validator/tool/json/checked.hpp"

namespace tracelint {

// A file by its place in the manifest.
struct ExampleFile {
    uint64_t entry = 0;
    std::string path;
    bool operator==(const ExampleFile&) const = default;
};

// What a finding is counted by. The ids are those of the tables; an empty format: none was recognised.
struct FindingKind {
    std::string_view rule, format;
    Severity severity = Severity::error;

    bool operator==(const FindingKind&) const = default;
    // By rule, then format, then severity, errors first.
    bool operator<(const FindingKind& other) const {
        return std::tuple(rule, format, -static_cast<int>(severity)) <
               std::tuple(other.rule, other.format, -static_cast<int>(other.severity));
    }
};

struct FindingSum {
    uint64_t findings = 0;
    uint64_t files = 0;
    std::vector<ExampleFile> examples{};  // the first files of the manifest, in order
    bool operator==(const FindingSum&) const = default;
};

// Verdicts of files, by which they are counted.
inline constexpr std::array<std::string_view, 5> kVerdicts = {"error", "warning", "note", "clean", "unreadable"};

struct FormatSum {
    uint64_t files = 0;
    uint64_t bytes = 0;
    std::array<uint64_t, kVerdicts.size()> by_verdict{};  // files
    bool operator==(const FormatSum&) const = default;
};

struct Sums {
    static constexpr size_t kExamples = 3;  // of a kind of finding

    // `checked` is a file of a manifest.
    void add(const Checked& checked);
    void add(const Sums& other);
    bool operator==(const Sums&) const = default;

    uint64_t bytes = 0;                               // of the files, as far as their size is known
    uint64_t limited = 0;                             // files of which a limit left something unchecked
    std::map<std::string_view, FormatSum> formats{};  // by id
    std::map<FindingKind, FindingSum> findings{};
};

// What a part is a part of, and its sums.
struct PartSummary {
    std::string manifest;   // its hash
    uint64_t entries = 0;   // of the whole manifest
    uint64_t left_out = 0;  // entries of these shards that are not checked: repeated or excluded
    uint64_t shard_count = 1;
    std::vector<uint64_t> shards;  // sorted
    std::string options;           // those that change findings, as an object of JSON
    Sums sums;
};

}  // namespace tracelint
