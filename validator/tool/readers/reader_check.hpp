// What readers will do with one file: looks for the legal records that they fail on, and sums up the findings.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "validator/reader.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What one reader does with a file.
struct ReaderVerdict {
    const TraceReader* reader = nullptr;
    ReaderOutcome outcome = ReaderOutcome::loads;
    const Rule* rule = nullptr;          // that it comes of; null: there is none
    uint64_t offset = kNone;             // of the finding; kNone: there is none
    uint64_t places = 0;                 // findings with this outcome
    uint64_t lost = 0;                   // of its units
    uint64_t total = 0;                  // units in the file
    uint64_t uncounted = 0;              // bytes at the end, in which there may be more units
    uint64_t untried = 0;                // errors that nobody has tried with it
    uint64_t untried_warnings = 0;       // the same
    bool is_unread = false;              // its records could not be looked at, as the input is a pipe
    std::optional<Forecast> forecast{};  // of a reader that there is a model of
};

// "perf 6.1 stops at 0x1a40 and silently drops the remaining 5,312 of 6,004 functions".
std::string sentence_of(const ReaderVerdict& verdict);

// Judges a file after its check: adds the findings of the readers' own rules, gives a verdict for each reader of the
// file's format, and the findings the severities that they have for these readers. Reads the source anew.
class ReaderCheck {
  public:
    // Findings that the check should keep of each rule.
    static constexpr size_t kKept = 1000;

    // `options`: of the check, with the report that the user asked for. What the readers do does not depend on its
    // filter and severities. All must outlive this.
    ReaderCheck(const std::vector<const TraceReader*>& readers, const CheckOptions& options)
        : readers_(readers), options_(options) {}

    // With these options the file should be checked.
    CheckOptions all_findings() const {
        CheckOptions all = options_;
        all.report.filter = nullptr;
        all.report.severities = nullptr;
        if (all.report.kept_per_rule != 0) all.report.kept_per_rule = std::max(all.report.kept_per_rule, kKept);
        return all;
    }

    // `source`: the input, which can be sought; otherwise its records are not looked at.
    void judge(Outcome& outcome, Source& source);

    const std::vector<ReaderVerdict>& verdicts() const { return verdicts_; }

  private:
    // What the rows of the readers ask of a finding.
    FindingTraits traits_of(const Diagnostic& finding, const Outcome& outcome) const;
    void look_at(Outcome& outcome, Source& source);
    void find_hazards(Outcome& outcome, Source& source);
    void sum_up(ReaderVerdict& verdict, const Outcome& outcome) const;
    void follow(ReaderVerdict& verdict, Outcome& outcome, Source& source) const;
    void count_lost(const Outcome& outcome, Source& source);
    std::optional<Severity> severity_for_readers(const Diagnostic& finding, const Outcome& outcome) const;
    std::optional<Severity> severity_of_finding(const Diagnostic& finding, const Outcome& outcome) const;

    const std::vector<const TraceReader*>& readers_;
    const CheckOptions& options_;
    std::vector<ReaderVerdict> verdicts_;
    std::map<uint64_t, uint8_t> kinds_;  // the first bytes of the records with findings, by the findings' offsets
};

}  // namespace tracelint
