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

namespace {

// Rounded.
uint64_t percentage(uint64_t part, uint64_t whole) { return (part * 200 + whole) / (2 * whole); }

// "1 process", "1,147 processes".
std::string counted_in_groups(uint64_t count, std::string_view noun) {
    if (count == 1) return fmt::format("1 {}", noun);
    const std::string_view plural = noun == "leaf" ? "leaves" : noun;
    return fmt::format("{} {}{}", grouped(count), plural, noun == "leaf" ? "" : noun.ends_with("s") ? "es" : "s");
}

// "2 leaves in generated code, 271 of 1,147 samples (24 %) with a frame there".
std::string inside_text(const RecordedProcess& process, bool has_chains) {
    const uint64_t inside = process.leaves + process.in_chains;
    const std::string of_all =
        fmt::format("{} of {} ({} %)", grouped(inside), counted_in_groups(process.samples, "sample"),
                    percentage(inside, std::max<uint64_t>(process.samples, 1)));
    if (!has_chains || process.in_chains == 0) return of_all + " in generated code";
    return fmt::format("{} in generated code, {} with such a frame in their call chain",
                       counted_in_groups(process.leaves, "leaf"), of_all);
}

// Where the names of generated code come from, and what is in the way.
std::string names_text(const RecordedProcess& process, RecordingSummary::Clock clock) {
    if (process.images != 0) return fmt::format("perf inject has added {}", counted_in_groups(process.images, "image"));
    if (process.dumps != 0) {
        std::string text = "not injected; the dump is " + (process.dump.empty() ? "mapped" : shown_path(process.dump));
        if (process.dumps > 1) text += fmt::format(" and {} more", process.dumps - 1);
        if (clock != RecordingSummary::Clock::monotonic)
            text += ", but not all events are recorded on its clock (perf record -k mono)";
        return text;
    }
    const uint64_t inside = process.leaves + process.in_chains;
    if (2 * process.not_consulted > inside)
        return fmt::format("no dump is mapped, and perf reads no perf map for memory named {}...: it shows addresses",
                           printable(process.memory));
    return fmt::format("no dump is mapped: names can only come from /tmp/perf-{}.map", process.pid);
}

std::string process_text(const RecordedProcess& process, const RecordingSummary& summary) {
    std::string text = fmt::format("process {}", process.pid);
    if (!process.command.empty()) text += fmt::format(" ({})", printable(process.command));
    if (process.forked == 1) text += " and one forked from it";
    if (process.forked > 1) text += fmt::format(" and {} forked from it", grouped(process.forked));
    const bool is_all_injected = process.images != 0 && process.leaves + process.in_chains == 0;
    if (!is_all_injected) text += fmt::format(": {};", inside_text(process, summary.has_chains));
    return fmt::format("{}{} {}", text, is_all_injected ? ":" : "", names_text(process, summary.clock));
}

std::string_view clock_text(RecordingSummary::Clock clock) {
    switch (clock) {
        case RecordingSummary::Clock::unknown: return "an unknown clock";
        case RecordingSummary::Clock::kernel: return "the kernel's own clock";
        case RecordingSummary::Clock::monotonic: return "CLOCK_MONOTONIC";
        case RecordingSummary::Clock::other: return "a clock other than CLOCK_MONOTONIC";
        case RecordingSummary::Clock::several: return "several clocks";
    }
    return {};
}

}  // namespace

std::string recording_text(const Checked& checked) {
    const std::optional<RecordingSummary>& summary = checked.outcome.context.recording;
    if (!summary || checked.entry != nullptr) return {};
    std::string text = fmt::format("{}: {}{}", shown_path(checked.path), summary->is_least ? "at least " : "",
                                   counted_in_groups(summary->samples, "sample"));
    if (summary->processes != 0) text += " of " + counted_in_groups(summary->processes, "process");
    text += fmt::format(", on {}", clock_text(summary->clock));
    if (summary->listed.empty()) return text + "; none in generated code";
    for (const RecordedProcess& process : summary->listed) text += "; " + process_text(process, *summary);
    if (summary->with_code > summary->listed.size())
        text += fmt::format("; {} more have generated code",
                            counted_in_groups(summary->with_code - summary->listed.size(), "process"));
    return text;
}

std::string pairing_text(const Checked& checked, const Pairing& pairing) {
    std::string text = shown_path(checked.path);
    if (!pairing.recording.empty()) text += " with " + shown_path(pairing.recording);
    if (!pairing.is_compared) return text + fmt::format(": not compared: {}", pairing.remark);
    const std::string_view least = pairing.is_least ? "at least " : "";
    text += fmt::format(": {}{}", least, counted(pairing.functions, "function"));
    if (pairing.processes == 1) text += fmt::format(" of pid {}", pairing.pid);
    if (pairing.processes > 1) text += fmt::format(" of {} processes", pairing.processes);
    if (pairing.processes != 0) {
        text += fmt::format(", which {} {}{}", pairing.processes > 1 ? "have" : "has", least,
                            counted(pairing.samples, "sample"));
        if (pairing.forked == 1) text += ", counting a process forked from it";
        if (pairing.forked > 1) text += fmt::format(", counting {} processes forked from it", grouped(pairing.forked));
    }
    if (pairing.in_functions && pairing.samples != 0) {
        text += fmt::format(", {} of them in these functions ({} %)", *pairing.in_functions,
                            percentage(*pairing.in_functions, pairing.samples));
        if (pairing.not_consulted != 0)
            text += fmt::format(" and {} in functions of memory for which perf reads no map", pairing.not_consulted);
        if (pairing.in_chains != 0)
            text += fmt::format(", {} more with such a frame in their call chain", pairing.in_chains);
    }
    if (!pairing.remark.empty()) text += fmt::format("; {}", pairing.remark);
    if (!pairing.next_step.empty()) text += fmt::format("; {}", printable(pairing.next_step));
    return text;
}

}  // namespace tracelint
