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
    bool is_overridden = false;  // has the severity override of its rule
    bool about_end = false;      // where the input ends has a say, though not in every finding of its rule
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

    // Reports a violation: report.add<kRule>(place, {number, ...}). The compiler refuses a call with fewer or more
    // numbers than the rule's message needs. Out of line and cold: the hot path only tests for a violation.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        add(R, place, {});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add(R, place, std::span<const uint64_t>(numbers));
    }
    template <const Rule& R>
    void add_overridden(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        add_overridden(R, place, {});
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add_overridden(R, place, std::span<const uint64_t>(numbers));
    }
    // For a rule that is known at run time alone: that of an edge.
    [[gnu::cold, gnu::noinline]] void add(const Rule& rule, const Place& place, std::span<const uint64_t> numbers);
    void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    // The same with the severity override of the rule.
    [[gnu::cold, gnu::noinline]] void add_overridden(const Rule& rule, const Place& place,
                                                     std::span<const uint64_t> numbers);
    void add_overridden(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add_overridden(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& diagnostic);

    // Sorts what was kept by offset, then rule id. Call once, when the walk is over. `ended_early`: the input ended
    // before what was written did (Window::ended_early), which explains the findings about its end; they are dropped.
    void finish(bool ended_early = false);

    const std::vector<Diagnostic>& diagnostics() const { return kept_; }
    // Findings of each rule that fired, all of them; by rule id.
    std::map<std::string_view, uint64_t> counts() const;
    // Findings that were counted but not kept; by rule id.
    std::map<std::string_view, uint64_t> not_kept() const;
    uint64_t count(Severity severity) const { return by_severity_[static_cast<size_t>(severity)]; }
    uint64_t count(const Rule& rule) const;

  private:
    // Findings of one severity of a rule: its own, or that of its override. Neither hides the other.
    struct Tally {
        uint64_t found = 0, kept = 0;
        uint64_t found_about_end = 0;  // among `found`
    };
    struct RuleTally {
        bool admitted = false;  // by the filter
        std::array<Tally, 2> by_override{};

        uint64_t found() const { return by_override[0].found + by_override[1].found; }
        uint64_t kept() const { return by_override[0].kept + by_override[1].kept; }
    };
    bool tally(const Rule& rule, bool is_overridden, bool about_end);
    void drop_findings_about_end();
    RuleTally& tally_of(const Rule& rule);

    ReportOptions options_;
    std::vector<Diagnostic> kept_;
    std::unordered_map<const Rule*, RuleTally> tallies_;  // its elements do not move
    const Rule* last_rule_ = nullptr;                     // hostile files break the same rule over and over
    RuleTally* last_tally_ = nullptr;
    std::array<uint64_t, 3> by_severity_{};
};

}  // namespace tracelint
