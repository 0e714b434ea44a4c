// The JSON outputs of the tool's own schema: json and ndjson, which consist of the same objects
// (json_report.hpp). output.schema.json describes them. They are written piece by piece, so that memory does not grow
// with the number of files or findings.
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/json/json_report.hpp"
#include "validator/tool/json/sums.hpp"
#include "validator/tool/writers/writer.hpp"

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
    return {{"path", JsonText::path(baseline.name)}, {"suppressed", baseline.known}, {"stale", stale}};
}

JsonText id_or_null(std::string_view id) { return id.empty() ? JsonText(nullptr) : JsonText(id); }

JsonArray formats_array(const Sums& sums) {
    JsonArray formats;
    for (const auto& [format, sum] : sums.formats) {
        JsonObject object{{"format", id_or_null(format)}, {"files", sum.files}, {"bytes", sum.bytes}};
        for (size_t i = 0; i < kVerdicts.size(); ++i) object.add(kVerdicts[i], sum.by_verdict[i]);
        formats.add(object);
    }
    return formats;
}

JsonArray totals_array(const Sums& sums) {
    JsonArray totals;
    for (const auto& [kind, sum] : sums.findings) {
        JsonArray examples;
        for (const ExampleFile& example : sum.examples)
            examples.add(JsonObject{{"entry", example.entry}, {"path", JsonText::path(example.path)}});
        totals.add(JsonObject{{"rule", kind.rule},
                              {"format", id_or_null(kind.format)},
                              {"severity", to_string(kind.severity)},
                              {"findings", sum.findings},
                              {"files", sum.files},
                              {"examples", examples}});
    }
    return totals;
}

void add_part(JsonObject& object, const PartSummary& part) {
    JsonArray shards;
    for (const uint64_t shard : part.shards) shards.add(shard);
    object.add("bytes", part.sums.bytes);
    object.add("limited", part.sums.limited);
    object.add("part", JsonObject{{"manifest", part.manifest},
                                  {"entries", part.entries},
                                  {"left_out", part.left_out},
                                  {"shard_count", part.shard_count},
                                  {"shards", shards},
                                  {"options", JsonText::raw(part.options)}});
    object.add("formats", formats_array(part.sums));
    object.add("totals", totals_array(part.sums));
}

void add_summary(JsonObject& object, const Summary& summary) {
    object.add("files", summary.files);
    object.add("clean", summary.clean);
    object.add("with_findings", summary.with_findings);
    object.add("unreadable", summary.unreadable);
    object.add("skipped", summary.skipped);
    if (!summary.configuration.empty() && summary.part == nullptr)
        object.add("configuration", JsonText::path(summary.configuration));
    if (summary.baseline != nullptr) object.add("baseline", baseline_object(*summary.baseline));
    if (summary.part != nullptr) add_part(object, *summary.part);
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
        for (const Pairing& pairing : checked.outcome.pairings) {
            JsonObject group;
            add_pairing(group, checked, pairing);
            groups_ += (groups_.empty() ? "\n" : ",\n") + group.text();
        }
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
        if (checked.is_elsewhere()) return sink_.write(checked.lines);
        write_file_lines(sink_, checked, options_);
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        JsonObject object{{"type", "summary"}, {"schema_version", kSchemaVersion}, {"tool", tool_object()}};
        add_summary(object, summary);
        sink_.write(object.text() + '\n');
        sink_.flush();
    }

  private:
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
