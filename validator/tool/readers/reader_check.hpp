// What readers will do with one file: looks for the legal records that they fail on, and sums up the findings.
#pragma once

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
    const Rule* rule = nullptr;  // that it comes of; null: there is none
    uint64_t offset = kNone;     // of the finding; kNone: there is none
    uint64_t places = 0;         // findings with this outcome
    uint64_t lost = 0;           // of its units
    uint64_t total = 0;          // units in the file
    uint64_t untried = 0;        // errors that nobody has tried with it
};

// "perf 6.1 stops at 0x1a40 and silently drops the remaining 5,312 of 6,004 functions".
std::string sentence_of(const ReaderVerdict& verdict);

// Judges a file when its walk is over: adds the findings of the readers' own rules, and gives a verdict for each reader
// of the file's format. Reads the source a second time.
class ReaderCheck final : public FileExpectations {
  public:
    // `source`: the input, which can be sought, or whose first bytes `kept` gives; otherwise records are not looked at.
    // `inner`: what else is expected; may be null. `options`: of the check. All must outlive it.
    ReaderCheck(const std::vector<const TraceReader*>& readers, Source& source, const CheckOptions& options,
                FileExpectations* inner)
        : readers_(readers), source_(source), options_(options), inner_(inner) {}

    NameListener* names() override { return inner_ == nullptr ? nullptr : inner_->names(); }
    void judge(Outcome& outcome) override;

    const std::vector<ReaderVerdict>& verdicts() const { return verdicts_; }

  private:
    // What the rows of the readers ask of a finding.
    FindingTraits traits_of(const Diagnostic& finding, const Outcome& outcome) const;
    void find_hazards(Outcome& outcome);
    void sum_up(ReaderVerdict& verdict, const Outcome& outcome) const;
    void count_lost(const Outcome& outcome);

    const std::vector<const TraceReader*>& readers_;
    Source& source_;
    const CheckOptions& options_;
    FileExpectations* inner_;
    std::vector<ReaderVerdict> verdicts_;
    std::map<uint64_t, uint8_t> kinds_;  // the first bytes of the records with findings, by the findings' offsets
};

}  // namespace tracelint
