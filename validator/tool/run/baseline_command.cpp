// What a run does with its baseline at its start and at its end.
#include <fmt/core.h>

#include <filesystem>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/date.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/options/option_words.hpp"
#include "validator/tool/run/baseline_run.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostLines = 20;  // of stale entries on standard error

Baseline wanted_baseline(const CheckLine& line) {
    std::error_code failed;
    const bool is_missing = line.baseline.use == BaselineChoice::Use::update &&
                            !std::filesystem::exists(line.baseline.file, failed) && !failed;
    if (!is_missing) return load_baseline(line.baseline.file);
    if (!line.baseline.accept_new)
        refuse(fmt::format("{}: no such file; --accept-new creates the baseline", printable(line.baseline.file)));
    return new_baseline(line.baseline.file);
}

std::string entries_text(uint64_t count) { return fmt::format("{} {}", count, count == 1 ? "entry" : "entries"); }

std::string findings_text(uint64_t count, const Rule& rule) { return fmt::format("{} {}", count, rule.id); }

// The findings that an entry allows, and those of the file.
std::string sentence_of(const StaleEntry& stale) {
    const BaselineEntry& entry = *stale.entry;
    const std::string what = fmt::format("{} in {}", findings_text(entry.count, *entry.rule), printable(entry.path));
    switch (stale.why) {
        case StaleEntry::Why::fewer:
            return fmt::format("{}; found {}", what, stale.found == 0 ? "none" : std::to_string(stale.found));
        case StaleEntry::Why::no_file: return what + "; no file of this run matches";
        case StaleEntry::Why::expired: return fmt::format("{}; expired on {}", what, date_text(*entry.expires));
    }
    return {};
}

// A run on some of the files says nothing about the others, so entries without a file are only counted.
void complain_of(const BaselineSummary& summary, bool is_strict) {
    const std::string name = printable(summary.name);
    size_t lines = 0, left_out = 0, without_file = 0;
    for (const StaleEntry& stale : summary.stale) {
        if (stale.why == StaleEntry::Why::no_file && !is_strict)
            ++without_file;
        else if (++lines <= kMostLines)
            complain(fmt::format("{}:{}: stale entry: {}", name, stale.entry->line, sentence_of(stale)));
        else
            ++left_out;
    }
    if (left_out != 0) complain(fmt::format("{}: {} more are stale", name, entries_text(left_out)));
    if (without_file != 0)
        complain(fmt::format("{}: no file of this run matches {}", name, entries_text(without_file)));
}

std::string line_of(const NewFindings& found, const BaselineRun& run) {
    const std::string_view word = found.entry == nullptr ? "new" : "more";
    std::string text =
        fmt::format("{:<8} {} in {}", word, findings_text(found.found, *found.rule), printable(found.path));
    if (found.entry != nullptr && run.is_expired(*found.entry))
        text += fmt::format("; allowed until {}", date_text(*found.entry->expires));
    else if (found.entry != nullptr)
        text += fmt::format("; allowed {}", found.entry->count);
    return text + '\n';
}

// How the baseline differs from what was found, a line for each difference.
std::string differences(const BaselineRun& run, const BaselineSummary& summary) {
    std::string text;
    for (const NewFindings& found : run.new_findings()) text += line_of(found, run);
    for (const StaleEntry& stale : summary.stale) {
        const bool is_kept = stale.why == StaleEntry::Why::fewer && run.may_be_for_others(*stale.entry);
        text += fmt::format(
            "{:<8} {}{}\n", to_string(stale.why), sentence_of(stale),
            is_kept ? "; kept: its pattern may match files that were not checked (--all-files changes it)" : "");
    }
    return text;
}

// Prints what a command of baselines says.
ExitStatus print(const CheckLine& line, const std::string& text, ExitStatus status) {
    FileSink out;
    if (!line.reporting.quiet) out.write(text);
    return finish_output(out, "", status);
}

// How many findings stay new: they are not accepted, or their entry is expired.
uint64_t not_accepted(const CheckLine& line, const BaselineRun& run) {
    uint64_t count = 0;
    for (const NewFindings& found : run.new_findings())
        count += !line.baseline.accept_new || (found.entry != nullptr && run.is_expired(*found.entry));
    return count;
}

ExitStatus compare(const CheckLine& line, const BaselineRun& run, const BaselineSummary& summary, ExitStatus status) {
    const bool is_exact = run.new_findings().empty() && summary.stale.empty();
    const std::string last =
        fmt::format("{}: {}, {}\n", printable(summary.name), entries_text(run.baseline().entries.size()),
                    is_exact ? "up to date" : "not up to date");
    return print(line, differences(run, summary) + last, worse(status, is_exact ? kClean : kFindings));
}

ExitStatus update(const CheckLine& line, const BaselineRun& run, const BaselineSummary& summary, ExitStatus status) {
    const Baseline changed = run.updated(line.baseline.accept_new, line.baseline.reason);
    const std::string text = text_of(changed);
    const std::string entries = entries_text(changed.entries.size());
    if (changed.entries.size() > kMostEntries || text.size() > kLargestBaseline) {
        complain(fmt::format("{}: not changed: it would have {}; the limits are {} and {}", printable(summary.name),
                             entries, kMostEntries, byte_size(kLargestBaseline)));
        return worse(status, kInternal);
    }
    std::error_code failed;
    const bool is_same = text == text_of(run.baseline()) && std::filesystem::exists(line.baseline.file, failed);
    if (!is_same) {
        FileSink file(line.baseline.file);
        file.write(text);
        status = finish_output(file, line.baseline.file, status);
        if (status != kClean) return status;
    }
    const uint64_t left = not_accepted(line, run);
    std::string last = fmt::format("{}: {}, {}", printable(summary.name), entries, is_same ? "unchanged" : "written");
    if (left != 0)
        last +=
            fmt::format("; {} not accepted{}", left, line.baseline.accept_new ? "" : ", which --accept-new would add");
    return print(line, differences(run, summary) + last + '\n', worse(status, left == 0 ? kClean : kFindings));
}

// Returns for one file after the other the rules that check it.
class RulesInUse {
  public:
    // `line` must outlive it.
    explicit RulesInUse(const CheckLine& line) : line_(&line) {}

    bool operator()(const std::string& path, const Rule& rule) {
        // A reader may ignore some findings of a rule and not others.
        if (!line_->choices.filter.admits(rule) || !line_->choices.readers.empty()) return false;
        if (!is_chosen_ || path != path_) {
            path_ = path;
            severities_ = choices_for(line_->choices, path).severities;
            is_chosen_ = true;
        }
        const SeverityChoices::Choice* choice = severities_.of(rule);
        return choice == nullptr || choice->severity.has_value();
    }

  private:
    const CheckLine* line_;
    SeverityChoices severities_;  // for path_
    std::string path_;
    bool is_chosen_ = false;
};

}  // namespace

ExitStatus open_baseline(const CheckLine& line, std::vector<std::string> searched, std::optional<BaselineRun>& run) {
    if (line.baseline.file.empty()) return kClean;
    const auto file = regular_file(line.baseline.file);
    for (const Output& output : line.reporting.outputs) {
        if (output.file.empty() || !file || regular_file(output.file) != file) continue;
        complain(fmt::format("--output: {} is the baseline", printable(output.file)));
        return kUsage;
    }
    try {
        const bool collects = line.baseline.use != BaselineChoice::Use::apply;
        run.emplace(wanted_baseline(line), today(),
                    BaselineScope{
                        .collects = collects ? line.reporting.fail_on : std::nullopt,
                        .looks_for = RulesInUse(line),
                        .searched = std::move(searched),
                        .has_all_files = line.baseline.has_all_files,
                    });
    } catch (const UsageError& error) {
        complain(error.message);
        return kUsage;
    }
    return kClean;
}

ExitStatus close_baseline(const CheckLine& line, const BaselineRun& run, const BaselineSummary& summary,
                          bool is_complete, ExitStatus status) {
    if (line.baseline.use == BaselineChoice::Use::apply) {
        complain_of(summary, line.baseline.strict);
        return worse(status, line.baseline.strict && !summary.stale.empty() ? kFindings : kClean);
    }
    // What was found decides, not whether it would fail a check.
    if (status == kFindings) status = kClean;
    if (line.baseline.use == BaselineChoice::Use::compare) return compare(line, run, summary, status);
    if (is_complete && status == kClean) return update(line, run, summary, status);
    complain(fmt::format("{}: not changed, because not every file was checked to its end", printable(summary.name)));
    return status == kClean ? kInternal : status;
}

}  // namespace tracelint
