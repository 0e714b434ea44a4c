// The document of the json output.
#include "validator/tool/json/json_document.hpp"

#include "validator/tool/json/sums.hpp"

namespace tracelint {
namespace {

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

}  // namespace

JsonObject tool_object() { return {{"name", "tracelint"}, {"version", TRACELINT_VERSION}}; }

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

void JsonDocument::begin() {
    const JsonObject start{{"schema_version", kSchemaVersion}, {"tool", tool_object()}};
    sink_.write(start.open_text() + ",\"files\":[");
}

void JsonDocument::file(const Checked& checked) {
    sink_.write(any_file_ ? ",\n" : "\n");
    any_file_ = true;
    write_file_json(sink_, checked, options_);
    for (const Pairing& pairing : checked.outcome.pairings) {
        JsonObject group;
        add_pairing(group, checked, pairing);
        groups_ += (groups_.empty() ? "\n" : ",\n") + group.text();
    }
}

void JsonDocument::finish(const Summary& summary) {
    JsonObject object;
    add_summary(object, summary);
    const std::string groups = groups_.empty() ? "" : "\n],\"groups\":[" + groups_;
    sink_.write(groups + "\n],\"summary\":" + object.text() + "}\n");
}

}  // namespace tracelint
