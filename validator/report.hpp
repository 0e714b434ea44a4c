// What is found in one file: plain data. Counts are exact; what is kept to be shown is capped per rule.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "validator/limits.hpp"
#include "validator/place.hpp"
#include "validator/rule.hpp"

namespace tracelint {

struct Diagnostic {
    const Rule* rule = nullptr;
    Place place{};
    std::array<uint64_t, 4> numbers{};  // for the rule's message
    std::string_view hint{};            // a cause that the bytes suggest; shown with the help
    uint64_t related_offset = kNone;    // another place that belongs to it
    uint64_t related_length = 0;
    bool milder = false;     // of the milder form that its rule has
    bool about_end = false;  // where the input ends has a say, though not in every finding of its rule
};

Severity severity_of(const Diagnostic& diagnostic);
// What the violation does to the tools that read the file.
std::string_view why_of(const Diagnostic& diagnostic);

// The message with its numbers in place.
std::string message_of(const Diagnostic& diagnostic);

// Which rules take part: an id, or a prefix that ends in a slash or dash ("jitdump/", "jitdump/load-"); the
// name of a format stands for all its rules. What cannot be read at all is always said, so the rules of
// inputs and containers take part unless they are ignored.
class RuleFilter {
  public:
    void select(std::string_view id_or_prefix) { selected_.emplace_back(id_or_prefix); }
    void ignore(std::string_view id_or_prefix) { ignored_.emplace_back(id_or_prefix); }
    // Whether findings of the rule count.
    bool admits(const Rule& rule) const { return (rule.of_input || selects(rule)) && !ignores(rule); }
    // Whether the rule was asked for, by its id or as one of all.
    bool selects(const Rule& rule) const;
    bool ignores(const Rule& rule) const;
    // Whether the id or prefix stands for the rule.
    static bool covers(std::string_view id_or_prefix, const Rule& rule);

  private:
    std::vector<std::string> selected_;  // empty: all
    std::vector<std::string> ignored_;
};

struct ReportOptions {
    size_t kept_per_rule = kShownPerRule;  // 0: all, up to kKeptFindings
    const RuleFilter* filter = nullptr;    // must outlive the report
};

class Report {
  public:
    explicit Report(const ReportOptions& options = {}) : options_(options) {}

    // Reports a violation. Out of line and cold: the hot path only tests for it.
    [[gnu::cold, gnu::noinline]] void add(const Rule& rule, const Place& place,
                                          std::initializer_list<uint64_t> numbers = {});
    // The same in the milder form of the rule.
    [[gnu::cold, gnu::noinline]] void add_milder(const Rule& rule, const Place& place,
                                                 std::initializer_list<uint64_t> numbers = {});
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& diagnostic);

    // From now on findings about the end of the input are explained by its container being cut.
    void end_is_explained() { end_explained_ = true; }

    // Sorts what was kept by offset, then rule id. Call once, when the walk is over.
    void finish();

    const std::vector<Diagnostic>& diagnostics() const { return kept_; }
    // Findings of each rule that fired, all of them; by rule id.
    std::map<std::string_view, uint64_t> counts() const;
    // Findings that were counted but not kept; by rule id.
    std::map<std::string_view, uint64_t> not_kept() const;
    uint64_t count(Severity severity) const { return by_severity_[static_cast<size_t>(severity)]; }
    uint64_t count(const Rule& rule) const;

  private:
    struct Tally {
        bool admitted = false;  // by the filter
        uint64_t found = 0;
        std::array<uint64_t, 2> kept{};  // of the rule's own form and of the milder one: neither hides the other
    };
    bool tally(const Rule& rule, bool milder);
    Tally& tally_of(const Rule& rule);

    ReportOptions options_;
    std::vector<Diagnostic> kept_;
    std::unordered_map<const Rule*, Tally> tallies_;  // its elements do not move
    const Rule* last_rule_ = nullptr;                 // hostile files break the same rule over and over
    Tally* last_tally_ = nullptr;
    std::array<uint64_t, 3> by_severity_{};
    bool end_explained_ = false;
};

}  // namespace tracelint
