// Checks an input, its companions, and what they say of each other.
#include "validator/library/company.hpp"

#include <new>
#include <utility>

#include "validator/library/guarded_source.hpp"
#include "validator/readers/reader_check.hpp"

namespace tracelint {
namespace {

// As findings in one file name the other.
std::vector<std::string> names_of(const std::string& input, const std::vector<Companion>& companions) {
    std::vector<std::string> names = {input.empty() ? "-" : input};
    for (const Companion& companion : companions) names.push_back(companion.name);
    return names;
}

bool is_file(const Companion& companion) { return !companion.bytes && companion.source == nullptr; }

}  // namespace

CompanyCheck::CompanyCheck(PreparedOptions& prepared, const std::string& name)
    : prepared_(prepared),
      file_name_(name),
      budget_(prepared.engine().limits.memory),
      names_(std::make_shared<const std::vector<std::string>>(names_of(name, prepared.companions()))) {
    prepared.observer().set_names(names_);
    files_.resize(names_->size());
    if (files_.size() == 1) return;
    for (File& file : files_) file.facts = std::make_unique<Facts>(budget_);
}

Outcome CompanyCheck::check_input(Source& source, bool is_foreign) noexcept {
    try {
        CheckOptions options = prepared_.engine();
        if (!prepared_.readers().empty())
            options.report.observer = nullptr;  // the readers decide which findings are reported
        options.file_name = file_name_;
        return check_one(files_.front(), source, std::move(options), prepared_.readers(), is_foreign);
    } catch (const std::bad_alloc&) {
        Outcome outcome(prepared_.engine());
        outcome.failure = "out of memory";
        outcome.out_of_memory = outcome.context.limit_hit = true;
        return outcome;
    }
}

// What cannot be read twice is kept for the readers.
Outcome CompanyCheck::check_one(File& file, Source& source, CheckOptions options, const ChosenReaders& readers,
                                bool is_foreign) {
    options.facts = file.facts.get();
    KeptInput kept;
    KeepingSource keeping(source, kept);
    const bool keeps = !readers.empty() && source.size() == kNone;
    if (keeps) {
        const uint64_t most = KeptInput::most_of(options.limits.memory);
        options.limits.memory -= 2 * most;
        kept.start(most);
    }
    ReaderCheck check(readers.readers, options, {}, readers.older);
    check.note_owner(is_foreign);
    Outcome outcome = keeps ? check.check(keeping, &kept) : check.check(source, nullptr);
    file.verdicts = check.verdicts();
    return outcome;
}

Outcome CompanyCheck::check_companion(size_t index) {
    const Companion& companion = prepared_.companions()[index];
    if (companion.bytes) {
        MemorySource source(*companion.bytes);
        return check_companion(index, source, false);
    }
    if (companion.source != nullptr) {
        GuardedSource source(*companion.source);
        return check_companion(index, source, false);
    }
    const std::unique_ptr<Source> source = open_file(companion.name);
    const bool is_foreign = !prepared_.readers().empty() && ReaderCheck::is_foreign(companion.name);
    return check_companion(index, *source, is_foreign);
}

Outcome CompanyCheck::check_companion(size_t index, Source& source, bool is_foreign) {
    CheckOptions options = prepared_.engine();
    options.report.observer = nullptr;
    options.file_name = prepared_.companions()[index].name;
    return check_one(files_[index + 1], source, std::move(options), prepared_.readers(), is_foreign);
}

void CompanyCheck::compare(Outcome& input, std::vector<Outcome>& companions) {
    ReportOptions report = prepared_.engine().report;
    report.observer = nullptr;  // it would receive findings about the end twice
    std::vector<JoinedFile> files = {{names_->front(), files_.front().facts.get(), &input, report}};
    for (size_t i = 0; i < companions.size(); ++i)
        files.push_back({(*names_)[i + 1], files_[i + 1].facts.get(), &companions[i], report});
    judge_joined(std::move(files), {}, budget_, budget_.all());
}

// Findings that the observer has not received.
void CompanyCheck::tell(const Outcome& outcome) const {
    FindingObserver* const observer = prepared_.engine().report.observer;
    if (observer == nullptr) return;
    for (const Diagnostic& finding : outcome.report().diagnostics())
        if (!prepared_.readers().empty() || !finding.related_file.empty()) observer->found(finding);
}

Result CompanyCheck::result(Outcome&& outcome) {
    std::vector<Outcome> companions;
    for (size_t i = 0; i + 1 < files_.size(); ++i) companions.push_back(check_companion(i));
    if (!companions.empty()) compare(outcome, companions);
    // Their findings about the input are missing.
    for (const Outcome& companion : companions) outcome.context.limit_hit |= companion.out_of_memory;
    tell(outcome);
    std::vector<Result> results;
    for (size_t i = 0; i < companions.size(); ++i)
        results.push_back(result_of({.outcome = std::move(companions[i]),
                                     .name = (*names_)[i + 1],
                                     .is_file = is_file(prepared_.companions()[i]),
                                     .verdicts = std::move(files_[i + 1].verdicts),
                                     .names = names_},
                                    nullptr));
    return result_of({.outcome = std::move(outcome),
                      .verdicts = std::move(files_.front().verdicts),
                      .names = names_,
                      .companions = std::move(results)},
                     &prepared_.observer());
}

}  // namespace tracelint
