// A report as C sees it: strings that end in a zero byte, made when they are first asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "validator/bindings/c/handles.hpp"
#include "validator/bindings/c/tracelint.h"
#include "validator/library/state.hpp"

namespace tracelint::c {

// What a finding's struct points to.
struct FindingTexts {
    std::string field, message, help, related_file;
};
FindingTexts texts_of(const Finding& finding);

// The finding with its size, pointing to the texts.
tracelint_finding struct_of(const Finding& finding, const FindingTexts& texts);

class CheckedReport {
  public:
    // For a result whose state is moved out next. Anything that may run out of memory happens here, so the caller keeps
    // the result if it does.
    // `is_file`: the path was opened, and can be once more.
    CheckedReport(std::string path, bool is_file, const Result& result);
    void take(Result&& result) noexcept {
        room_->emplace(std::move(result));
        result_ = std::shared_ptr<const Result>(room_, &**room_);
    }
    // The report of a companion, by its index; it has a path of its own.
    std::unique_ptr<CheckedReport> companion(size_t index) const;

    tracelint_summary summary();
    // The index must be in range.
    tracelint_finding finding(size_t index);
    tracelint_count statistic(size_t index) const;
    tracelint_count rule(size_t index) const;
    tracelint_reader reader(size_t index);
    // Null: the path that was checked. The text lives until the next call of these functions.
    const std::string& json(const char* path);
    const std::string& finding_json(size_t index);
    const std::string& document(const char* path);
    // `bytes` of the input, where it is not a file; none: the page has none. Changes nothing that the others use.
    const std::string& html(Bytes bytes);

    size_t findings() const { return outcome().report().diagnostics().size(); }
    size_t statistics() const { return statistics_.size(); }
    size_t rules() const { return result_->counts().size(); }
    size_t readers() const { return result_->readers().size(); }
    size_t companions() const { return result_->companions().size(); }

  private:
    const Outcome& outcome() const { return result_->state()->outcome; }
    const FindingTexts& texts_of(const Finding& finding, size_t index);

    // Copies of the texts of a reader's result that do not end in a zero byte.
    struct ReaderTexts {
        std::string name, version, outcome, evidence, unit;
    };
    const ReaderTexts& texts_of(const ReaderResult& reader, size_t index);

    std::string path_;
    bool is_file_;
    std::shared_ptr<std::optional<Result>> room_;
    std::shared_ptr<const Result> result_;  // in `room_`, or in that of the report whose companion this is
    std::vector<std::pair<std::string, uint64_t>> statistics_;
    std::vector<std::unique_ptr<FindingTexts>> texts_;        // of findings; empty before the first is asked for
    std::vector<std::unique_ptr<ReaderTexts>> reader_texts_;  // as above
    std::string json_, html_;
};

// All reports that callers hold.
Handles<tracelint_report, CheckedReport>& reports();

// What an input is called in reports: its path, the name in the options, or "-".
std::string name_of(const char* path, const Options& options);

// Hands the report of a check to the caller, or says why there is no report. Throws std::bad_alloc; the result is then
// as before.
tracelint_error hand_out(const std::string& path, bool is_file, Result&& result, tracelint_report** to);

}  // namespace tracelint::c
