// The JSON outputs of the tool's own schema: json and ndjson, which consist of the same objects
// (json_report.hpp). output.schema.json describes them. They are written piece by piece, so that memory does not grow
// with the number of files or findings.
#include "validator/tool/writers/json_report.hpp"

namespace tracelint {
namespace {

// Incremented by changes that break readers.
constexpr int kSchemaVersion = 1;

JsonObject tool_object() { return {{"name", "tracelint"}, {"version", TRACELINT_VERSION}}; }

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
        sink_.write(any_file_ ? ",\n" : "\n");
        any_file_ = true;
        write_file_json(sink_, checked, options_);
        for (const Pairing& pairing : checked.outcome.pairings)
            groups_ += (groups_.empty() ? "\n" : ",\n") + pairing_object(checked, pairing).text();
    }

    void finish(const Summary& summary) override {
        JsonObject object;
        add_summary(object, summary);
        const std::string groups = groups_.empty() ? "" : "\n],\"groups\":[" + groups_;
        sink_.write(groups + "\n],\"summary\":" + object.text() + "}\n");
        sink_.flush();
    }

  private:
    Sink& sink_;
    WriterOptions options_;
    bool any_file_ = false;
    std::string groups_;  // a line for each pair
};

// One object per line: the findings of a file, then the file; at the end the summary.
class NdjsonWriter final : public Writer {
  public:
    NdjsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void file(const Checked& checked) override {
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            JsonObject object{{"type", "diagnostic"}, {"path", checked.path}};
            add_finding(object, diagnostic, checked.entry_of(diagnostic));
            line(object);
        }
        for (const Pairing& pairing : checked.outcome.pairings) {
            JsonObject group = pairing_object(checked, pairing);
            group.add("type", "group");
            line(group);
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

}  // namespace

std::unique_ptr<Writer> make_json_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<JsonWriter>(sink, options);
}

std::unique_ptr<Writer> make_ndjson_writer(Sink& sink, const WriterOptions& options) {
    return std::make_unique<NdjsonWriter>(sink, options);
}

}  // namespace tracelint
