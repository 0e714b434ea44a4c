// The JSON outputs of the tool's own schema: json and ndjson, which consist of the same objects, and the catalogue of
// rules. output.schema.json describes them. They are written piece by piece, so that memory does not grow with the
// number of files or findings.
#include "validator/tool/rule_info.hpp"
#include "validator/tool/writers/json_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// Incremented by changes that break readers.
constexpr int kSchemaVersion = 1;

JsonObject tool_object() { return {{"name", "tracelint"}, {"version", TRACELINT_VERSION}}; }

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

// Adds the members of a file, except its diagnostics.
void add_file(JsonObject& object, const Checked& checked, const WriterOptions& options) {
    const Outcome& outcome = checked.outcome;
    const Identity& identity = outcome.context.identity;
    const Report& report = outcome.report();
    object.add("path", checked.path);
    object.add("format", outcome.format == nullptr ? JsonText(nullptr) : JsonText(outcome.format->id));
    object.add("format_version", identity.format_version);
    object.add("byte_order", byte_order_of(identity));
    object.add("word_size", identity.word_size);
    object.add("container", outcome.container == Container::gzip ? JsonText("gzip") : JsonText(nullptr));
    object.add("size", outcome.size);
    object.add("verdict", verdict_of(checked));
    if (!outcome.failure.empty()) object.add("failure", outcome.failure);
    object.add("counts", JsonObject{{"error", report.count(Severity::error)},
                                    {"warning", report.count(Severity::warning)},
                                    {"note", report.count(Severity::note)}});
    object.add("not_shown", object_of(not_shown(report, options)));
    object.add("statistics", object_of(outcome.context.statistics));
    if (checked.known == nullptr) return;
    JsonObject suppressed, surplus;
    for (const auto& [rule, entry] : checked.known->known) suppressed.add(rule, report.count(*entry->rule));
    for (const auto& [rule, counts] : checked.known->surplus)
        surplus.add(rule, JsonObject{{"found", counts.found}, {"allowed", counts.allowed}});
    object.add("suppressed", suppressed);
    object.add("surplus", surplus);
}

// Why a finding does not count.
JsonObject suppression_object(const BaselineEntry& entry) {
    JsonObject object{{"path", entry.path}, {"reason", entry.reason}};
    if (entry.expires) object.add("expires", date_text(*entry.expires));
    return object;
}

JsonObject baseline_object(const BaselineSummary& baseline) {
    JsonArray stale;
    for (const StaleEntry& one : baseline.stale)
        stale.add(JsonObject{{"line", one.entry->line},
                             {"path", one.entry->path},
                             {"rule", one.entry->rule->id},
                             {"count", one.entry->count},
                             {"found", one.found},
                             {"why", to_string(one.why)}});
    return {{"path", baseline.name}, {"suppressed", baseline.known}, {"stale", stale}};
}

// Adds the members of one finding.
void add_diagnostic(JsonObject& object, const Checked& checked, const Diagnostic& diagnostic) {
    const std::string path = field_path(diagnostic.place);
    object.add("rule", diagnostic.rule->id);
    object.add("severity", to_string(severity_of(diagnostic)));
    object.add("offset", diagnostic.place.offset);
    object.add("length", diagnostic.place.length);
    object.add("field", path.empty() ? JsonText(nullptr) : JsonText(path));
    object.add("message", message_of(diagnostic));
    object.add("help", help_of(diagnostic));
    JsonArray related;
    if (diagnostic.related_offset != kNone)
        related.add(JsonObject{{"offset", diagnostic.related_offset}, {"length", diagnostic.related_length}});
    object.add("related", related);
    if (const BaselineEntry* entry = checked.entry_of(diagnostic)) object.add("suppressed", suppression_object(*entry));
}

void add_summary(JsonObject& object, const Summary& summary) {
    object.add("files", summary.files);
    object.add("clean", summary.clean);
    object.add("with_findings", summary.with_findings);
    object.add("unreadable", summary.unreadable);
    object.add("skipped", summary.skipped);
    if (summary.baseline != nullptr) object.add("baseline", baseline_object(*summary.baseline));
    if (summary.incomplete.empty()) return;
    object.add("incomplete", summary.incomplete);
    object.add("not_checked", summary.not_checked);
}

// {"schema_version": ..., "tool": ..., "files": [file, ...], "summary": ...}, each finding on a line of its own.
class JsonWriter final : public Writer {
  public:
    JsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void begin() override {
        const JsonObject start{{"schema_version", kSchemaVersion}, {"tool", tool_object()}};
        sink_.write(start.open_text() + ",\"files\":[");
    }

    void file(const Checked& checked) override {
        JsonObject object;
        add_file(object, checked, options_);
        sink_.write(any_file_ ? ",\n" : "\n");
        any_file_ = true;
        sink_.write(object.open_text() + ",\"diagnostics\":[");
        const char* before = "\n";
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            JsonObject finding;
            add_diagnostic(finding, checked, diagnostic);
            sink_.write(before + finding.text());
            before = ",\n";
        }
        sink_.write("]}");
    }

    void finish(const Summary& summary) override {
        JsonObject object;
        add_summary(object, summary);
        sink_.write("\n],\"summary\":" + object.text() + "}\n");
        sink_.flush();
    }

  private:
    Sink& sink_;
    WriterOptions options_;
    bool any_file_ = false;
};

// One object per line: the findings of a file, then the file; at the end the summary.
class NdjsonWriter final : public Writer {
  public:
    NdjsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            JsonObject object{{"type", "diagnostic"}, {"path", checked.path}};
            add_diagnostic(object, checked, diagnostic);
            line(object);
        }
        JsonObject object{{"type", "file"}};
        add_file(object, checked, options_);
        line(object);
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        JsonObject object{{"type", "summary"}, {"schema_version", kSchemaVersion}, {"tool", tool_object()}};
        add_summary(object, summary);
        line(object);
        sink_.flush();
    }

  private:
    void line(const JsonObject& object) { sink_.write(object.text() + '\n'); }

    Sink& sink_;
    WriterOptions options_;
};

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

}  // namespace

void write_rules_json(const std::vector<const Rule*>& rules, Sink& sink) {
    sink.write(R"({"schema_version":1,"rules":[)");
    const char* before = "\n";
    for (const Rule* rule : rules) {
        sink.write(before + rule_object(*rule).text());
        before = ",\n";
    }
    sink.write("\n]}\n");
}

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<JsonWriter>(sink, options);
}

std::unique_ptr<Writer> make_ndjson_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<NdjsonWriter>(sink, options);
}

}  // namespace tracelint
