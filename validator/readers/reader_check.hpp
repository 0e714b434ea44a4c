// What readers will do with one file: looks for the legal records that they fail on, and sums up the findings.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "validator/input/kept_input.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/readers/follow_context.hpp"
#include "validator/readers/outcome_table.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What one reader does with a file.
struct ReaderVerdict {
    const TraceReader* reader = nullptr;
    ReaderOutcome outcome = ReaderOutcome::loads;
    const Rule* rule = nullptr;                // the cause; null if absent
    uint64_t offset = kNone;                   // of the finding; kNone if absent
    uint64_t places = 0;                       // findings with this outcome
    uint64_t lost = 0;                         // of its units
    uint64_t total = 0;                        // units in the file
    uint64_t uncounted = 0;                    // bytes at the end, in which there may be more units
    uint64_t untried = 0;                      // errors that were never tried with it
    uint64_t untried_warnings = 0;             // the same
    bool is_unread = false;                    // its records could not be looked at, as the input is a pipe
    std::string_view reason{};                 // why it ends its reading, as a part of a sentence; may be empty
    std::optional<Forecast> forecast{};        // of a reader that there is a model of
    std::optional<Unpredicted> unpredicted{};  // why nothing is known; the outcome is ReaderOutcome::untried then
    // What earlier versions do, if no version was named.
    std::vector<ReaderVerdict> older{};

    // From here on, nothing is known of what the reader does.
    void forget(Unpredicted why);
};

// Whether the record is one of those that hold the units of the reader.
bool is_unit(const TraceReader& reader, const Record& record);

// "perf 6.1 stops at 0x1a40 and silently drops the remaining 5,312 of 6,004 functions".
std::string sentence_of(const ReaderVerdict& verdict);

// The record that a finding is in.
struct FindingRecord {
    uint64_t offset = 0;            // of the finding
    std::optional<uint8_t> kind{};  // the first byte of the record; empty: not known
};

// How one reader fares with a file: a view over the finished report of the check, which other readers neither see nor
// change. What the reader's own rules find is its own.
struct ReaderView {
    ReaderView(const TraceReader& reader, const ReportOptions& options)
        : verdict{.reader = &reader}, table(reader), own(options) {}
    ReaderView(const ReaderView&) = delete;
    ReaderView& operator=(const ReaderView&) = delete;

    // Call when `own` is finished: has_found() uses its content.
    void index();
    bool has_found(const Diagnostic& finding) const {
        return found_.contains({finding.rule, finding.place.offset, finding.place.length});
    }

    ReaderVerdict verdict;
    OutcomeTable table;
    Report own;
    // An earlier version of a reader that the user named: its verdict is shown next to the newest one's, and no finding
    // is judged by it.
    bool is_older = false;

  private:
    std::set<std::tuple<const Rule*, uint64_t, uint64_t>> found_;
};

// Judges a file after its check: gives a verdict for each reader of the file's format, adds what their own rules find
// to the report, and gives the findings the severities that they have for these readers. The verdict of a reader is the
// same whichever others are named. Reads the source anew; if that fails, the outcome says so, as if the check had
// failed, and there is no verdict.
class ReaderCheck {
  public:
    // Findings that the check should keep of each rule.
    static constexpr size_t kKept = 1000;

    using IsInterrupted = FollowContext::IsInterrupted;

    // `options`: of the check, with the report that the user asked for. What the readers do does not depend on its
    // filter and severities. All must outlive this. `older`: earlier versions of the readers, to be compared with them.
    ReaderCheck(const std::vector<const TraceReader*>& readers, const CheckOptions& options,
                IsInterrupted is_interrupted = {}, std::vector<const TraceReader*> older = {})
        : readers_(readers), older_(std::move(older)), options_(options), is_interrupted_(std::move(is_interrupted)) {}

    // Whether the input is a file that is owned by neither the user nor root.
    void note_owner(bool is_foreign) { is_foreign_ = is_foreign; }
    // Whether the file of this path is. The second one needs no file, by which it is tested.
    static bool is_foreign(const std::string& path);
    static bool is_foreign(uint64_t owner, uint64_t user) { return owner != 0 && owner != user; }

    // Checks the input, and judges it. Its bytes are read again from `kept`, if that has all of them, else from the
    // source. Without readers, it is tracelint::check().
    Outcome check(Source& source, const KeptInput* kept);

    // With these options the file should be checked.
    CheckOptions all_findings() const {
        CheckOptions all = options_;
        all.report.filter = nullptr;
        all.report.severities = nullptr;
        if (all.report.kept_per_rule != 0) all.report.kept_per_rule = std::max(all.report.kept_per_rule, kKept);
        return all;
    }

    // `source`: the input, which can be sought; otherwise its records are not looked at. What is counted of the work is
    // added to that of the check.
    void judge(Outcome& outcome, Source& source);

    const std::vector<ReaderVerdict>& verdicts() const { return verdicts_; }
    // The most memory that was taken at one time, as Budget::most_taken() knows it.
    uint64_t most_taken() const { return std::max(most_walked_, budget_.most_taken()); }
    // Whether all of it was given back but for what this keeps.
    bool is_whole() const { return budget_.left() + records_.charged() == options_.limits.memory; }

  private:
    // What the rows of the readers ask of a finding.
    FindingTraits traits_of(const Diagnostic& finding, const Outcome& outcome) const;
    ReaderFile facts_of(const Outcome& outcome) const;
    void add_view(const TraceReader& reader, bool is_older);
    bool look_at(Outcome& outcome, Source& source);
    bool start(Outcome& outcome);
    void refuse(const Rule& why);
    void refuse_unknown(Outcome& outcome);
    bool note_records(const Outcome& outcome);
    bool find_hazards(Outcome& outcome, Source& source);
    bool follow_readers(Outcome& outcome, Source& source);
    Followed follow_one(ReaderView& view, Outcome& outcome, Source& source, bool& was_interrupted);
    void report_forecast(ReaderView& view, const Outcome& outcome);
    void sum_up(ReaderView& view, const Outcome& outcome);
    bool count_lost(Outcome& outcome, Source& source);
    bool count_left_out(ReaderView& view, Outcome& outcome, Source& source);
    void gather(Outcome& outcome);
    void report_verdicts();
    void doubt(Outcome& outcome, const Source& source);
    bool can_continue(Outcome& outcome, const Source& source) const;
    Limits limits_left() const { return {options_.limits.record, budget_.left()}; }
    static std::optional<Severity> severity_by(ReaderView& view, const Diagnostic& finding,
                                               const FindingTraits& traits);
    std::optional<Severity> severity_for_readers(const Diagnostic& finding, const Outcome& outcome);
    std::optional<Severity> severity_of_finding(const Diagnostic& finding, const Outcome& outcome);

    const std::vector<const TraceReader*>& readers_;
    const std::vector<const TraceReader*> older_;
    const CheckOptions& options_;
    IsInterrupted is_interrupted_;
    std::vector<std::unique_ptr<ReaderView>> views_;
    std::vector<ReaderVerdict> verdicts_;
    Budget budget_{options_.limits.memory};
    BudgetedVector<FindingRecord> records_{budget_};  // of the findings, each offset once, in rising order
    uint64_t most_walked_ = 0;
    bool is_foreign_ = false;
};

}  // namespace tracelint
