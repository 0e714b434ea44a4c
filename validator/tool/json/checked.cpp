// What outputs show of a report, and of files that belong together.
#include "validator/tool/json/checked.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/json/text.hpp"

namespace tracelint {

bool is_shown(const Diagnostic& diagnostic, const WriterOptions& options) {
    return severity_of(diagnostic) >= options.min_severity;
}

std::map<std::string_view, uint64_t> not_shown(const Report& report, const WriterOptions& options) {
    std::map<std::string_view, uint64_t> counts = report.counts();
    for (const Diagnostic& diagnostic : report.diagnostics())
        if (is_shown(diagnostic, options)) --counts[diagnostic.rule->id];
    std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
    return counts;
}

const BaselineEntry* Checked::entry_of(const Diagnostic& diagnostic) const {
    if (known == nullptr) return nullptr;
    const auto found = known->known.find(diagnostic.rule->id);
    return found == known->known.end() ? nullptr : found->second;
}

uint64_t Checked::count_new(Severity severity) const {
    const Report& report = outcome.report();
    return report.count(severity) - (known == nullptr ? 0 : known->count(report, severity));
}

bool is_shown_as_new(const Checked& checked, const Diagnostic& diagnostic, const WriterOptions& options) {
    return is_shown(diagnostic, options) && checked.entry_of(diagnostic) == nullptr;
}

namespace {

std::map<std::string_view, uint64_t> without_known(std::map<std::string_view, uint64_t> counts,
                                                   const Checked& checked) {
    if (checked.known != nullptr)
        for (const auto& [id, entry] : checked.known->known) counts.erase(id);
    return counts;
}

}  // namespace

std::map<std::string_view, uint64_t> new_not_shown(const Checked& checked, const WriterOptions& options) {
    return without_known(not_shown(checked.outcome.report(), options), checked);
}

std::map<std::string_view, uint64_t> new_not_kept(const Checked& checked) {
    return without_known(checked.outcome.report().not_kept(), checked);
}

std::string_view verdict_of(const Checked& checked) {
    if (!checked.outcome.failure.empty()) return "unreadable";
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (checked.count_new(severity) != 0) return to_string(severity);
    return "clean";
}

const ReaderVerdict* worst_reader(const Checked& checked) {
    const auto worst = std::ranges::max_element(checked.readers, {}, &ReaderVerdict::outcome);
    return worst == checked.readers.end() ? nullptr : &*worst;
}

std::string pairing_text(const Checked& checked, const Pairing& pairing) {
    std::string text = shown_path(checked.path);
    if (!pairing.recording.empty()) text += " with " + shown_path(pairing.recording);
    if (!pairing.is_compared) return text + fmt::format(": not compared: {}", pairing.remark);
    const std::string_view least = pairing.is_least ? "at least " : "";
    text += fmt::format(": {}{}", least, counted(pairing.functions, "function"));
    if (pairing.processes == 1) text += fmt::format(" of pid {}", pairing.pid);
    if (pairing.processes > 1) text += fmt::format(" of {} processes", pairing.processes);
    if (pairing.processes != 0)
        text += fmt::format(", {}{} of {}", least, counted(pairing.samples, "sample"),
                            pairing.processes > 1 ? "them" : "it");
    if (pairing.in_functions && pairing.samples != 0) {
        const uint64_t share = (*pairing.in_functions * 200 + pairing.samples) / (2 * pairing.samples);
        text += fmt::format(", {} of them in these functions ({} %)", *pairing.in_functions, share);
    }
    if (!pairing.remark.empty()) text += fmt::format("; {}", pairing.remark);
    if (!pairing.next_step.empty()) text += fmt::format("; {}", printable(pairing.next_step));
    return text;
}

}  // namespace tracelint
