// A report as C sees it: strings that end in a zero byte, made when they are first asked for.
#pragma once

#include <memory>
#include <string>

#include "validator/bindings/c/handles.hpp"
#include "validator/bindings/c/options.hpp"

namespace tracelint::c {

class CheckedReport {
  public:
    // `outcome` refers to the choices.
    CheckedReport(std::string path, std::unique_ptr<const CheckChoices> choices, Outcome outcome);

    tracelint_summary summary();
    // The index must be in range.
    tracelint_finding finding(size_t index);
    tracelint_count statistic(size_t index) const;
    // The rules that are broken, by id.
    const std::vector<tracelint_count>& rules();
    // Null: the path that was checked. The text lives until the next call of either function.
    const std::string& json(const char* path);
    const std::string& finding_json(size_t index);

    size_t findings() const { return outcome_.report().diagnostics().size(); }
    size_t statistics() const { return statistics_.size(); }

  private:
    struct Texts {
        std::string field, message, help;
    };
    const Texts& texts_of(size_t index);

    std::string path_;
    std::unique_ptr<const CheckChoices> choices_;
    Outcome outcome_;
    std::vector<std::pair<std::string, uint64_t>> statistics_;
    std::vector<std::unique_ptr<Texts>> texts_;          // of findings; empty before the first is asked for
    std::optional<std::vector<tracelint_count>> rules_;  // empty before the first call
    std::string json_;
};

// All reports that callers hold.
Handles<tracelint_report, CheckedReport>& reports();

// Hands a report out to the caller.
tracelint_error hand_out(std::unique_ptr<CheckedReport> report, tracelint_report** to);

}  // namespace tracelint::c
