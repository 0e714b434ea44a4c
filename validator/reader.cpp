// What is asked of the tables of readers.
#include "validator/reader.hpp"

#include <algorithm>

namespace tracelint {

std::string_view to_string(ReaderOutcome outcome) {
    switch (outcome) {
        case ReaderOutcome::loads: return "loads";
        case ReaderOutcome::ignores: return "ignores";
        case ReaderOutcome::untried: return "unknown";
        case ReaderOutcome::drops_record: return "drops the record";
        case ReaderOutcome::misreads: return "misreads";
        case ReaderOutcome::drops_rest: return "drops the rest";
        case ReaderOutcome::refuses: return "refuses";
        case ReaderOutcome::hangs: return "hangs";
        case ReaderOutcome::crashes: return "crashes";
    }
    return "";
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
    .why = "it refuses the file, or shows nothing of it; --for list tells which readers there are for each format",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

const ReaderRow* row_of(const TraceReader& reader, const Rule& rule) {
    for (const std::span<const ReaderRow> rows : {reader.known, reader.measured})
        if (const auto found = std::ranges::find(rows, rule.id, &ReaderRow::rule); found != rows.end()) return &*found;
    return nullptr;
}

ReaderOutcome outcome_of(const TraceReader& reader, const Rule& rule) {
    if (&rule == &kOtherFormat) return ReaderOutcome::refuses;
    const auto hazard = std::ranges::find(reader.hazards, &rule, &Hazard::rule);
    if (hazard != reader.hazards.end()) return hazard->outcome;
    if (rule.id.starts_with("reader/")) return ReaderOutcome::ignores;  // another reader's
    const ReaderRow* row = row_of(reader, rule);
    return row == nullptr ? ReaderOutcome::untried : row->outcome;
}

std::string title_of(const TraceReader& reader) { return std::string(reader.name) + ' ' + std::string(reader.version); }

}  // namespace tracelint
