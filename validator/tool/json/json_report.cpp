// Files, findings and rules as JSON.
#include "validator/tool/json/json_report.hpp"

#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/date.hpp"
#include "validator/tool/json/rule_info.hpp"

namespace tracelint {
namespace {

JsonText byte_order_of(const Identity& identity) {
    if (!identity.byte_order) return nullptr;
    return *identity.byte_order == ByteOrder::little ? "little" : "big";
}

template <class Pairs>
JsonObject object_of(const Pairs& pairs) {
    JsonObject object;
    for (const auto& [name, number] : pairs) object.add(name, number);
    return object;
}

// Why a finding does not count.
JsonObject suppression_object(const BaselineEntry& entry) {
    JsonObject object{{"path", entry.path}, {"reason", entry.reason}};
    if (entry.expires) object.add("expires", date_text(*entry.expires));
    return object;
}

std::string hex_of(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (const uint8_t byte : as_bytes(text)) digits.append({kDigits[byte >> 4], kDigits[byte & 15]});
    return digits;
}

// What the results of a fleet need in addition.
void add_entry(JsonObject& object, const Checked& checked) {
    const Report& report = checked.outcome.report();
    if (!checked.entry->etag.empty()) object.add("etag", checked.entry->etag);
    if (scan_text(as_bytes(checked.path)).ill_formed != kNone) object.add("path_bytes", hex_of(checked.path));
    if (checked.outcome.context.limit_hit) object.add("limited", true);
    const std::vector<const Rule*> found = report.found_rules();
    JsonObject rules;
    for (const Rule* rule : found) {
        JsonObject counts;
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
            if (const uint64_t count = report.count(*rule, severity); count != 0)
                counts.add(to_string(severity), count);
        rules.add(rule->id, counts);
    }
    if (!found.empty()) object.add("rules", rules);
}

JsonObject reader_object(const ReaderVerdict& verdict) {
    const TraceReader& reader = *verdict.reader;
    JsonObject object{{"name", reader.name}, {"version", reader.version}, {"outcome", word_of(verdict.outcome)}};
    object.add("evidence", reader.evidence);
    object.add("offset", verdict.offset == kNone ? JsonText(nullptr) : JsonText(verdict.offset));
    object.add("rule", verdict.rule == nullptr ? JsonText(nullptr) : JsonText(verdict.rule->id));
    object.add("unit", reader.unit.substr(0, reader.unit.find('|')));
    object.add("total", verdict.total);
    object.add("lost", verdict.lost);
    object.add("uncounted", verdict.uncounted);
    object.add("places", verdict.places);
    object.add("drops", verdict.outcome == ReaderOutcome::drops_rest     ? JsonText("rest")
                        : verdict.outcome == ReaderOutcome::drops_record ? JsonText("record")
                                                                         : JsonText(nullptr));
    object.add("untried", verdict.untried);
    object.add("untried_warnings", verdict.untried_warnings);
    object.add("sentence", sentence_of(verdict));
    return object;
}

std::string_view clock_word(RecordingSummary::Clock clock) {
    switch (clock) {
        case RecordingSummary::Clock::unknown: return "unknown";
        case RecordingSummary::Clock::kernel: return "kernel";
        case RecordingSummary::Clock::monotonic: return "monotonic";
        case RecordingSummary::Clock::other: return "other";
        case RecordingSummary::Clock::several: return "several";
    }
    return {};
}

void add_recording(JsonObject& object, const RecordingSummary& summary) {
    JsonObject recording{{"samples", summary.samples},
                         {"processes", summary.processes},
                         {"with_generated_code", summary.with_code},
                         {"clock", clock_word(summary.clock)},
                         {"call_chains", summary.has_chains},
                         {"at_least", summary.is_least}};
    JsonArray listed;
    for (const RecordedProcess& process : summary.listed)
        listed.add(JsonObject{{"pid", process.pid},
                              {"command", JsonText::path(process.command)},
                              {"forked", process.forked},
                              {"samples", process.samples},
                              {"leaves", process.leaves},
                              {"in_chains", process.in_chains},
                              {"not_consulted", process.not_consulted},
                              {"images", process.images},
                              {"dumps", process.dumps},
                              {"dump", process.dump.empty() ? JsonText(nullptr) : JsonText::path(process.dump)}});
    recording.add("listed", listed);
    object.add("recording", recording);
}

void add_readers(JsonObject& object, const Checked& checked) {
    const ReaderVerdict* worst = worst_reader(checked);
    if (worst == nullptr) return;
    object.add("reader", reader_object(*worst));
    JsonArray readers;
    for (const ReaderVerdict& verdict : checked.readers) readers.add(reader_object(verdict));
    object.add("readers", readers);
}

}  // namespace

void add_file(JsonObject& object, const Checked& checked, const WriterOptions& options) {
    const Outcome& outcome = checked.outcome;
    const Identity& identity = outcome.context.identity;
    const Report& report = outcome.report();
    object.add("path", JsonText::path(checked.path));
    object.add("format", outcome.format == nullptr ? JsonText(nullptr) : JsonText(outcome.format->id));
    object.add("format_version", identity.format_version);
    object.add("byte_order", byte_order_of(identity));
    object.add("word_size", identity.word_size);
    object.add("container",
               outcome.container == Container::none ? JsonText(nullptr) : JsonText(to_string(outcome.container)));
    object.add("size", outcome.size);
    object.add("verdict", verdict_of(checked));
    if (!outcome.failure.empty()) object.add("failure", outcome.failure);
    object.add("counts", JsonObject{{"error", report.count(Severity::error)},
                                    {"warning", report.count(Severity::warning)},
                                    {"note", report.count(Severity::note)}});
    object.add("not_shown", object_of(not_shown(report, options)));
    object.add("statistics", object_of(outcome.context.statistics));
    // A file of a manifest lacks what a merge of the parts could not repeat.
    if (outcome.context.recording && checked.entry == nullptr) add_recording(object, *outcome.context.recording);
    add_readers(object, checked);
    if (checked.entry != nullptr) add_entry(object, checked);
    if (checked.known == nullptr) return;
    JsonObject suppressed, surplus;
    for (const auto& [rule, entry] : checked.known->known) suppressed.add(rule, report.count(*entry->rule));
    for (const auto& [rule, counts] : checked.known->surplus)
        surplus.add(rule, JsonObject{{"found", counts.found}, {"allowed", counts.allowed}});
    object.add("suppressed", suppressed);
    object.add("surplus", surplus);
}

void add_finding(JsonObject& object, const Diagnostic& diagnostic, const BaselineEntry* entry) {
    const std::string path = field_path(diagnostic.place);
    object.add("rule", diagnostic.rule->id);
    object.add("severity", to_string(severity_of(diagnostic)));
    object.add("offset", diagnostic.place.offset);
    object.add("length", diagnostic.place.length);
    object.add("field", path.empty() ? JsonText(nullptr) : JsonText(path));
    object.add("message", message_of(diagnostic));
    object.add("help", help_of(diagnostic));
    JsonArray related;
    if (diagnostic.related_offset != kNone) {
        JsonObject place{{"offset", diagnostic.related_offset}, {"length", diagnostic.related_length}};
        if (!diagnostic.related_file.empty()) place.add("path", JsonText::path(diagnostic.related_file));
        related.add(place);
    }
    object.add("related", related);
    if (!diagnostic.related_file.empty()) object.add("with", JsonText::path(diagnostic.related_file));
    if (entry != nullptr) object.add("suppressed", suppression_object(*entry));
}

void write_file_json(Sink& sink, const Checked& checked, const WriterOptions& options) {
    JsonObject object;
    if (checked.entry != nullptr) object.add("entry", checked.entry->number);
    add_file(object, checked, options);
    sink.write(object.open_text() + ",\"diagnostics\":[");
    const char* before = "\n";
    for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
        if (!is_shown(diagnostic, options)) continue;
        JsonObject finding;
        add_finding(finding, diagnostic, checked.entry_of(diagnostic));
        sink.write(before + finding.text());
        before = ",\n";
    }
    sink.write("]}");
}

void add_pairing(JsonObject& object, const Checked& checked, const Pairing& pairing) {
    object.add("path", JsonText::path(checked.path));
    object.add("with", pairing.recording.empty() ? JsonText(nullptr) : JsonText::path(pairing.recording));
    object.add("functions", pairing.functions);
    object.add("processes", pairing.processes);
    object.add("pid", pairing.processes == 0 ? JsonText(nullptr) : JsonText(pairing.pid));
    object.add("samples", pairing.samples);
    object.add("samples_in_functions", pairing.in_functions);
    object.add("samples_in_chains", pairing.in_chains);
    object.add("samples_not_consulted", pairing.not_consulted);
    object.add("forked", pairing.forked);
    object.add("at_least", pairing.is_least);
    object.add("remark", pairing.remark.empty() ? JsonText(nullptr) : JsonText(pairing.remark));
    object.add("next_step", pairing.next_step.empty() ? JsonText(nullptr) : JsonText(pairing.next_step));
}

namespace {

// The entry comes second, so that merging parts need not parse the rest.
JsonObject start_of(std::string_view type, const Checked& checked) {
    JsonObject object{{"type", type}};
    if (checked.entry != nullptr) object.add("entry", checked.entry->number);
    return object;
}

}  // namespace

void write_finding_line(Sink& sink, const Checked& checked, const Diagnostic& diagnostic,
                        const WriterOptions& options) {
    if (!is_shown(diagnostic, options)) return;
    JsonObject object = start_of("diagnostic", checked);
    object.add("path", JsonText::path(checked.path));
    add_finding(object, diagnostic, checked.entry_of(diagnostic));
    sink.write(object.text() + '\n');
}

void write_file_lines(Sink& sink, const Checked& checked, const WriterOptions& options) {
    if (!options.is_live)
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics())
            write_finding_line(sink, checked, diagnostic, options);
    for (const Pairing& pairing : checked.outcome.pairings) {
        JsonObject group{{"type", "group"}};
        add_pairing(group, checked, pairing);
        sink.write(group.text() + '\n');
    }
    JsonObject object = start_of("file", checked);
    add_file(object, checked, options);
    sink.write(object.text() + '\n');
}

JsonObject rule_object(const Rule& rule) {
    const Format* format = format_of(rule);
    JsonObject object{{"id", rule.id},
                      {"format", format == nullptr ? JsonText(nullptr) : JsonText(format->id)},
                      {"severity", to_string(rule.severity)},
                      {"statement", rule.statement},
                      {"why", rule.why},
                      {"spec", rule.spec},
                      {"since", rule.since.text},
                      {"status", rule.status}};
    if (rule.severity_override)
        object.add("milder", JsonObject{{"severity", to_string(rule.severity_override->severity)},
                                        {"when", rule.severity_override->when}});
    return object;
}

void write_rules_json(const std::vector<const Rule*>& rules, Sink& sink) {
    sink.write(R"({"schema_version":1,"rules":[)");
    const char* before = "\n";
    for (const Rule* rule : rules) {
        sink.write(before + rule_object(*rule).text());
        before = ",\n";
    }
    sink.write("\n]}\n");
}

}  // namespace tracelint
