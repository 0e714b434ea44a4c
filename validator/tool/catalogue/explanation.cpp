// The paragraphs of `explain`.
#include "validator/tool/catalogue/explanation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "validator/readers/reader.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kLineWidth = 78;   // columns of a line of text
constexpr size_t kLabelWidth = 11;  // of those, columns of the label

// A labelled paragraph.
std::string paragraph(std::string_view label, std::string_view text) {
    return wrapped(fmt::format("{:<{}}", label, kLabelWidth), text, kLabelWidth, kLineWidth);
}

// What a finding of this severity does to the exit status.
std::string_view exit_status_of(Severity severity) {
    switch (severity) {
        case Severity::error: return "an error makes the exit status 1, unless --fail-on is never";
        case Severity::warning: return "a warning makes the exit status 1 if --fail-on is warning or note";
        case Severity::note: return "a note makes the exit status 1 only if --fail-on is note";
    }
    return {};
}

// What the least number of a row is, as people write it: "1 GiB", "16,384".
std::string number_for_people(uint64_t number) {
    const bool is_round = number >= 1 << 20 && number % (1 << 20) == 0;
    return is_round ? byte_size(number) : grouped(number);
}

// The names of the records that begin with the byte; the byte itself if no record does.
std::string records_of_kind(const Format& format, const ReaderRow& row) {
    std::string names;
    for (const Record* record : records_of(format)) {
        const bool is_meant = record->tag != kNoTag && (record->tag & row.mask) == *row.kind;
        if (is_meant && row.mask == 0xff) names += (names.empty() ? "" : ", ") + std::string(record->name);
    }
    if (!names.empty()) return names;
    return (row.mask == 0xff ? "records of " : "records of type ") + hex(*row.kind);
}

// "in HEAP_OBJECT, from 1.0 GiB on": when the reader does so; empty: mostly.
std::string occasion_of(const ReaderRow& row, const Format& format) {
    std::string text;
    const auto join = [&](const std::string& condition) { text += (text.empty() ? "" : ", ") + condition; };
    if (row.kind) join("in " + records_of_kind(format, row));
    if (row.from != 0) join(fmt::format("from {} on", number_for_people(row.from)));
    if (row.at_end) join("at the end of the file");
    if (!row.record.empty()) join(fmt::format("in {} records", row.record));
    if (row.uneven != 0) join(fmt::format("where the size of the file is not a multiple of {}", row.uneven));
    return text;
}

// "ignores it (5 of 8 files)".
std::string action_of(const ReaderRow& row) {
    std::string text(to_string(row.outcome));
    switch (row.outcome) {
        case ReaderOutcome::ignores: text = "reads the file anyway"; break;
        case ReaderOutcome::misreads:
        case ReaderOutcome::refuses: text += " the file"; break;
        case ReaderOutcome::drops_rest: text = "drops the rest of the file"; break;
        default: break;
    }
    if (row.measured.find(',') == row.measured.npos) return text;
    // "ignores 5, refuses 3": the first number is that of the outcome, or else it is among the others.
    uint64_t all = 0, same = 0;
    for (size_t start = 0; start < row.measured.size();) {
        const size_t end = std::min(row.measured.find(", ", start), row.measured.size());
        const std::string_view part = row.measured.substr(start, end - start);
        const uint64_t count = std::strtoull(std::string(part.substr(part.rfind(' ') + 1)).c_str(), nullptr, 10);
        all += count;
        if (part.starts_with(to_string(row.outcome))) same += count;
        start = end + 2;
    }
    return fmt::format("{} ({} of {} files)", text, same, all);
}

// What each reader does with files that break the rule, one per line; empty if not known.
std::string readers_of(const Rule& rule) {
    const Format* format = format_of(rule);
    size_t width = 24;  // columns of the readers
    for (const TraceReader* reader : all_readers())
        if (reader->format == format) width = std::max(width, title_of(*reader).size() + 2);
    std::string text;
    for (const TraceReader* reader : all_readers()) {
        const bool is_own = std::ranges::find(reader->hazards, &rule, &Hazard::rule) != reader->hazards.end();
        const std::vector<const ReaderRow*> rows = rows_of(*reader, rule);
        if ((reader->format != format || rows.empty()) && !is_own) continue;
        std::string actions;
        if (rows.empty()) actions = action_of({.rule = rule.id, .outcome = worst_outcome_of(*reader, rule)});
        for (const ReaderRow* row : rows) {
            const std::string occasion = occasion_of(*row, *reader->format);
            actions += fmt::format("{}{}{}{}", actions.empty() ? "" : "; ", action_of(*row),
                                   occasion.empty() ? "" : " ", occasion);
        }
        if (reader->evidence != "measured")
            actions += fmt::format(" ({})", reader->evidence);
        else if (reader->measured != nullptr)
            actions += fmt::format(" (measured {})", reader->measured->date);
        text +=
            wrapped(fmt::format("{:<{}}{:<{}}", text.empty() ? "readers" : "", kLabelWidth, title_of(*reader), width),
                    actions, kLabelWidth + width, kLineWidth);
    }
    return text;
}

}  // namespace

std::string explanation_of(const Rule& rule) {
    const std::string_view severity = to_string(rule.severity);
    std::string text = fmt::format("{}\n\n{}", rule.id, paragraph("rule", rule.statement));
    if (const auto& other = rule.severity_override) {
        const std::string_view other_severity = to_string(other->severity);
        text += paragraph("severity", fmt::format("{}; {} when {}", severity, other_severity, other->when));
        text += paragraph("why", rule.why);
        if (!other->why.empty()) text += paragraph(other_severity, other->why);
    } else {
        text += paragraph("severity", severity);
        text += paragraph("why", rule.why);
    }
    std::string status(exit_status_of(rule.severity));
    if (rule.severity_override) status.append("; ").append(exit_status_of(rule.severity_override->severity));
    text += paragraph("exit", status);
    if (const Format* format = format_of(rule))
        text += paragraph("format", fmt::format("{} ({})", format->title, format->id));
    text += readers_of(rule);
    text += paragraph("spec", spec_reference_of(rule));
    text += paragraph("since", fmt::format("{}, {}", rule.since.text, rule.status));
    return text;
}

}  // namespace tracelint
