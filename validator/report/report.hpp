// The findings of one file, as plain data.
//
// A check reports a finding with report.add<kRule>(place, {numbers}). The report only stores the rule, the place and up
// to four numbers, because hostile files have millions of findings and text is slow: message_of() renders the message
// when a writer shows it. The compiler compares the numbers with the placeholders of the rule's message.
//
// Counts are exact. Only some findings of each rule are kept to be shown (kept_per_rule), and keeping more than
// kFreeFindings takes memory from the budget. finish() sorts what was kept by offset and rule, and drops findings about
// the end of the input if the container ended early. After that, nothing changes the report: writers, baselines and the
// predictions of readers only read it.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "validator/memory/limits.hpp"
#include "validator/tables/place.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {

struct Diagnostic {
    const Rule* rule = nullptr;
    Place place{};
    std::array<uint64_t, 4> numbers{};  // for the message's placeholders
    std::string_view hint{};            // a likely cause that the bytes suggest; shown with the help
    std::string_view text{};            // for the message's {text}; printable, and outlives all reports
    uint64_t related_offset = kNone;    // another place that the finding refers to; kNone: none
    uint64_t related_length = 0;        // bytes
    std::string_view related_file{};    // the path of the other file of its group that the finding is about, where the
                                        // related place is; outlives all reports. Empty: this file
    bool is_overridden = false;         // the rule's severity override applies
    bool about_end = false;             // depends on where the input ends; not all findings of its rule do
    std::optional<Severity> chosen{};   // the user's choice, which replaces the severity of the rule and its override
};

// Receives findings as they are reported.
class FindingObserver {
  public:
    virtual ~FindingObserver() = default;
    virtual void found(const Diagnostic& diagnostic) = 0;
};

Severity severity_of(const Diagnostic& diagnostic);
// What the violation does to the tools that read the file: the rule's text or its override's.
std::string_view why_of(const Diagnostic& diagnostic);

// The rendered message.
std::string message_of(const Diagnostic& diagnostic);

// What the violation does to readers, then the hint, if there is one.
std::string help_of(const Diagnostic& diagnostic);

// The rules that are enabled. A pattern is a rule id, a prefix that ends in a slash or dash ("jitdump/",
// "jitdump/load-"), or the name of a format for all its rules. Rules about inputs and containers stay enabled unless
// they are ignored: a file that cannot be read is always reported.
class RuleFilter {
  public:
    void select(std::string_view id_or_prefix) { selected_.emplace_back(id_or_prefix); }
    void ignore(std::string_view id_or_prefix) { ignored_.emplace_back(id_or_prefix); }
    // Whether findings of the rule are counted and shown.
    bool admits(const Rule& rule) const { return (rule.of_input || selects(rule)) && !ignores(rule); }
    // Whether a selected pattern covers the rule, or nothing was selected.
    bool selects(const Rule& rule) const;
    bool ignores(const Rule& rule) const;
    // Whether the pattern covers the rule.
    static bool covers(std::string_view id_or_prefix, const Rule& rule);

  private:
    std::vector<std::string> selected_;  // empty: all rules
    std::vector<std::string> ignored_;
};

// The severities that the user gives to rules in place of their own, and the rules that are turned off. Patterns are
// those of RuleFilter. If several choices match a rule, the last one wins.
class SeverityChoices {
  public:
    struct Choice {
        std::string pattern;
        std::optional<Severity> severity;  // empty: off
    };
    void choose(std::string_view id_or_prefix, std::optional<Severity> severity) {
        choices_.push_back({std::string(id_or_prefix), severity});
    }
    // The choices of `later` win over those so far.
    void append(const SeverityChoices& later) {
        choices_.insert(choices_.end(), later.choices_.begin(), later.choices_.end());
    }
    // The choice that wins for the rule; null if the rule keeps its own severity.
    const Choice* of(const Rule& rule) const;
    const std::vector<Choice>& all() const { return choices_; }

  private:
    std::vector<Choice> choices_;
};

struct ReportOptions {
    size_t kept_per_rule = kShownPerRule;         // 0: no cap but kKeptFindings
    const RuleFilter* filter = nullptr;           // must outlive the report
    const SeverityChoices* severities = nullptr;  // must outlive the check; not used after finish()
    // Must outlive the check; not used after finish(). Receives each finding that is counted, kept or not. Findings
    // about the end of the input come from finish(), and only if they are kept.
    FindingObserver* observer = nullptr;
};

class Report {
  public:
    explicit Report(const ReportOptions& options = {}) : options_(options) {}

    // From now on the findings kept beyond kFreeFindings take their memory from the budget, until finish(). Those that
    // it does not allow for are counted, but not kept, and finish() adds an input/tracking-limit note. Notes about
    // limits and findings about the input or its container have places of their own, so that they are kept.
    void charge_to(Budget& budget) { budget_ = &budget; }

    // Reports a violation: report.add<kRule>(place, {number, ...}). A count of numbers other than the message needs is
    // a compile error; those that only the message of the override needs may also be given. Out of line and cold:
    // the hot path only tests for a violation.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(R.message.numbers == 0, "the rule's message needs numbers");
        add(R, place, {});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(R.message.numbers <= N && N <= numbers_of(R),
                      "the rule's message needs another count of numbers");
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
    // Reports only the first finding of the rule in the file.
    template <const Rule& R>
    void add_first(const Place& place) {
        if (count(R) == 0) add<R>(place);
    }
    template <const Rule& R, size_t N>
    void add_first(const Place& place, const uint64_t (&numbers)[N]) {
        if (count(R) == 0) add<R>(place, numbers);
    }
    // For a rule that is known only at run time, such as an edge's.
    [[gnu::cold, gnu::noinline]] void add(const Rule& rule, const Place& place, std::span<const uint64_t> numbers);
    void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    // Reports a finding with the rule's severity override.
    [[gnu::cold, gnu::noinline]] void add_overridden(const Rule& rule, const Place& place,
                                                     std::span<const uint64_t> numbers);
    void add_overridden(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add_overridden(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& diagnostic);
    // Counts findings that are not kept, as another run's report has them.
    void add_not_kept(const Rule& rule, bool is_overridden, uint64_t count);

    // After finish(): takes further findings, by the same filter, until finish() is called once more.
    void reopen(const ReportOptions& options) { options_ = options; }

    // Makes `cause` the hint of every finding kept so far, those about the input aside.
    void attribute_to(std::string_view cause);

    // Withdraws the findings about the end of the input, which is not the end of the data: the input was truncated on
    // its way here (Window::ended_early), or is still being written. Returns the first of them in the file, of those
    // that were kept.
    std::optional<Diagnostic> withdraw_findings_about_end();

    // Sorts the kept findings by offset, then rule id, and gives back their memory: from here on they are the caller's.
    // At the same offset, those about the input come first. Call once, after the walk. True: the budget did not allow
    // for keeping all findings that were asked for.
    bool finish();

    // After finish(): gives each finding the severity that `severity` has for it; those without one are neither counted
    // nor kept any more. What is not kept goes by the first finding of its rule. Keeps `kept_per_rule` (0: all).
    using Grading = std::function<std::optional<Severity>(const Diagnostic&)>;
    void grade(const Grading& severity, size_t kept_per_rule);

    const std::vector<Diagnostic>& diagnostics() const { return kept_; }
    // All findings, kept or not, by rule id.
    std::map<std::string_view, uint64_t> counts() const;
    // The rules that have findings, sorted by id.
    std::vector<const Rule*> found_rules() const;
    // Findings that were counted but not kept, by rule id.
    std::map<std::string_view, uint64_t> not_kept() const;
    // By the severities that the user chose, where there are any.
    uint64_t count(Severity severity) const { return by_severity_[static_cast<size_t>(severity)]; }
    // The worst severity of a finding; empty if there are no findings.
    std::optional<Severity> worst() const;
    // Whether a finding was an error or a warning by its own severity, whatever the user chose.
    bool has_faults() const { return has_faults_; }
    uint64_t count(const Rule& rule) const;
    // Those of one severity, by the user's choice where there is one.
    uint64_t count(const Rule& rule, Severity severity) const;
    // The memory that the findings take, in bytes.
    uint64_t memory() const { return kept_.capacity() * sizeof(Diagnostic) + tallies_.size() * sizeof(RuleTally); }

  private:
    // Findings of a rule with one of its severities: its own or its override's. Each has a cap of its own.
    struct Tally {
        uint64_t found = 0, kept = 0;
        uint64_t found_about_end = 0;                     // among `found`
        Severity own{}, counted_as{};                     // without and with the user's choice
        std::optional<std::array<uint64_t, 3>> graded{};  // `found` by severity, after grade()
    };
    struct RuleTally {
        bool admitted = false;             // by the filter, and not turned off
        std::optional<Severity> chosen{};  // by the user
        std::array<Tally, 2> by_override{};

        uint64_t found() const { return by_override[0].found + by_override[1].found; }
        uint64_t kept() const { return by_override[0].kept + by_override[1].kept; }
    };
    bool tally(const Rule& rule, bool is_overridden, bool about_end);
    bool has_place(const Rule& rule);
    bool lacks_findings() const;
    void note_limit();
    void keep(Diagnostic diagnostic);
    void announce(Diagnostic diagnostic);
    bool has_room();
    RuleTally& tally_of(const Rule& rule);

    ReportOptions options_;
    std::vector<Diagnostic> kept_;
    Budget* budget_ = nullptr;
    uint64_t charged_ = 0;                                // bytes taken from the budget for kept_
    std::unordered_map<const Rule*, RuleTally> tallies_;  // last_tally_ points into it: elements never move
    const Rule* last_rule_ = nullptr;                     // hostile files break the same rule over and over
    RuleTally* last_tally_ = nullptr;
    std::array<uint64_t, 3> by_severity_{};
    bool has_faults_ = false;
};

// Not all findings of a file are kept.
extern const Rule kInputTrackingLimit;

}  // namespace tracelint
