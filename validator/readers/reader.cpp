// What is asked of the tables of readers.
#include "validator/readers/reader.hpp"

#include <algorithm>

#include "validator/tables/rule.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

std::string_view to_string(ReaderOutcome outcome) {
    switch (outcome) {
        case ReaderOutcome::loads: return "loads";
        case ReaderOutcome::ignores: return "ignores";
        case ReaderOutcome::untried: return "unknown";
        case ReaderOutcome::drops_record: return "drops the record";
        case ReaderOutcome::misreads: return "misreads";
        case ReaderOutcome::drops_rest: return "drops the rest";
        case ReaderOutcome::out_of_step: return "loses step";
        case ReaderOutcome::refuses: return "refuses";
        case ReaderOutcome::may_crash: return "may crash";
        case ReaderOutcome::hangs: return "hangs";
        case ReaderOutcome::crashes: return "crashes";
    }
    return "";
}

std::string_view word_of(ReaderOutcome outcome) {
    if (outcome == ReaderOutcome::drops_rest || outcome == ReaderOutcome::drops_record) return "drops";
    return to_string(outcome);
}

std::optional<Severity> severity_of(ReaderOutcome outcome) {
    if (outcome >= ReaderOutcome::refuses) return Severity::error;
    if (outcome >= ReaderOutcome::drops_record) return Severity::warning;
    return std::nullopt;
}

constinit const Rule kOtherFormat{
    .id = "reader/other-format",
    .severity = Severity::error,
    .statement = "the reader knows the format of the file",
    .message = "{text} does not read files of this format",
    .why = "it refuses the file, or shows nothing of it; --for list shows the readers of each format",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

constinit const Rule kModelLimit{
    .id = "reader/tracking-limit",
    .severity = Severity::note,
    .statement = "each reader can be followed through the file within the limits of this run",
    .message = "a limit is reached: what {text} does with the file is not known",
    .why = "not a fault of the file; --max-memory raises the limit, unless following the reader takes too much work",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

std::string conditions_of(const ReaderRow& row) {
    std::string text;
    const auto join = [&](const std::string& condition) { text += (text.empty() ? "" : ", ") + condition; };
    if (row.kind) join((row.mask == 0xff ? "records of " : "records of type ") + hex(*row.kind));
    if (row.from != 0) join("numbers from " + std::to_string(row.from));
    if (row.at_end) join("at the end of the file");
    if (!row.record.empty()) join("in " + std::string(row.record) + " records");
    if (row.uneven != 0) join("files of no multiple of " + std::to_string(row.uneven) + " bytes");
    return text;
}

std::vector<const ReaderRow*> rows_of(const TraceReader& reader, const Rule& rule) {
    std::vector<const ReaderRow*> found;
    for (const std::span<const ReaderRow> rows : {reader.known, reader.measured_rows()}) {
        for (const ReaderRow& row : rows)
            if (row.rule == rule.id) found.push_back(&row);
        if (!found.empty()) break;
    }
    return found;
}

std::optional<ReaderOutcome> fixed_outcome(const TraceReader& reader, const Rule& rule) {
    if (&rule == &kOtherFormat) return ReaderOutcome::refuses;
    if (is_tracking_limit(rule)) return ReaderOutcome::ignores;
    const auto hazard = std::ranges::find(reader.hazards, &rule, &Hazard::rule);
    if (hazard != reader.hazards.end()) return hazard->outcome;
    if (rule.id.starts_with("reader/")) return ReaderOutcome::ignores;  // another reader's
    return std::nullopt;
}

ReaderOutcome outcome_of(const TraceReader& reader, const Rule& rule, const FindingTraits& finding) {
    if (const auto fixed = fixed_outcome(reader, rule)) return *fixed;
    auto outcome = ReaderOutcome::untried;
    for (const ReaderRow* row : rows_of(reader, rule))
        if (row->fits(finding)) outcome = row->outcome;
    return outcome;
}

ReaderOutcome worst_outcome_of(const TraceReader& reader, const Rule& rule) {
    if (const auto fixed = fixed_outcome(reader, rule)) return *fixed;
    const std::vector<const ReaderRow*> rows = rows_of(reader, rule);
    if (rows.empty()) return ReaderOutcome::untried;
    return (*std::ranges::max_element(rows, {}, &ReaderRow::outcome))->outcome;
}

std::string title_of(const TraceReader& reader) { return std::string(reader.name) + ' ' + std::string(reader.version); }

}  // namespace tracelint
