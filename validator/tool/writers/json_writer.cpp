// All JSON outputs: json and ndjson, which consist of the same objects, and the catalogue of rules. output.schema.json
// describes them. They are written piece by piece, so that memory does not grow with the number of files or findings.
// One source file, because nlohmann's header takes seconds to compile.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "validator/text_scan.hpp"
#include "validator/tool/rule_info.hpp"
#include "validator/tool/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// Start objects with Json::object(): a null that becomes an object while memory runs out trips an assertion of the
// library.
using Json = nlohmann::ordered_json;

// A character as in JSON (RFC 8259, section 7): two escapes where UTF-16 takes two units.
void append_escaped(std::string& text, char32_t code) {
    constexpr char32_t kFirstOfPairs = 0x10000;
    const auto append = [&](uint32_t unit) { fmt::format_to(std::back_inserter(text), "\\u{:04x}", unit); };
    if (code < kFirstOfPairs) return append(code);
    append(0xd800 + ((code - kFirstOfPairs) >> 10));
    append(0xdc00 + ((code - kFirstOfPairs) & 0x3ff));
}

// Paths and names may be any bytes: U+FFFD replaces what is not UTF-8, and unprintable characters are escaped, as a
// terminal obeys some of them and others end a line for some readers. What remains is not escaped, although
// nlohmann/json could do that: names in other scripts stay legible, and can be searched for.
std::string text_of(const Json& json) {
    // What is below 0x7f is JSON's own, or escaped by dump(). All else lies in strings, where an escape may stand.
    constexpr uint8_t kDelete = 0x7f;
    const std::string raw = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    const Bytes bytes = as_bytes(raw);
    std::string text;
    size_t plain = 0;  // start of what is not copied yet
    for (size_t at = 0; at < bytes.size();) {
        if (bytes[at] < kDelete) {
            ++at;
            continue;
        }
        const Utf8Sequence sequence = first_utf8_sequence(bytes.subspan(at));
        if (is_unprintable(sequence.code)) {
            text.append(raw, plain, at - plain);
            append_escaped(text, sequence.code);
            plain = at + sequence.length;
        }
        at += sequence.length;
    }
    return text.append(raw, plain);
}

// Incremented by changes that break readers.
constexpr int kSchemaVersion = 1;

Json tool_object() { return {{"name", "tracelint"}, {"version", TRACELINT_VERSION}}; }

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json byte_order_of(const Identity& identity) {
    if (!identity.byte_order) return nullptr;
    return *identity.byte_order == ByteOrder::little ? "little" : "big";
}

template <class Pairs>
Json object_of(const Pairs& pairs) {
    Json object = Json::object();
    for (const auto& [name, number] : pairs) object[std::string(name)] = number;
    return object;
}

// Adds the members of a file, except its diagnostics.
void add_file(Json& object, const Checked& checked, const WriterOptions& options) {
    const Outcome& outcome = checked.outcome;
    const Identity& identity = outcome.context.identity;
    const Report& report = outcome.report();
    object["path"] = checked.path;
    object["format"] = outcome.format == nullptr ? Json(nullptr) : Json(outcome.format->id);
    object["format_version"] = or_null(identity.format_version);
    object["byte_order"] = byte_order_of(identity);
    object["word_size"] = or_null(identity.word_size);
    object["container"] = outcome.container == Container::gzip ? Json("gzip") : Json(nullptr);
    object["size"] = or_null(outcome.size);
    object["verdict"] = verdict_of(outcome);
    if (!outcome.failure.empty()) object["failure"] = outcome.failure;
    object["counts"] = {{"error", report.count(Severity::error)},
                        {"warning", report.count(Severity::warning)},
                        {"note", report.count(Severity::note)}};
    object["not_shown"] = object_of(not_shown(report, options));
    object["statistics"] = object_of(outcome.context.statistics);
}

// Adds the members of one finding.
void add_diagnostic(Json& object, const Diagnostic& diagnostic) {
    const std::string path = field_path(diagnostic.place);
    object["rule"] = diagnostic.rule->id;
    object["severity"] = to_string(severity_of(diagnostic));
    object["offset"] = diagnostic.place.offset;
    object["length"] = diagnostic.place.length;
    object["field"] = path.empty() ? Json(nullptr) : Json(path);
    object["message"] = message_of(diagnostic);
    object["help"] = help_of(diagnostic);
    object["related"] = Json::array();
    if (diagnostic.related_offset != kNone)
        object["related"].push_back({{"offset", diagnostic.related_offset}, {"length", diagnostic.related_length}});
}

void add_summary(Json& object, const Summary& summary) {
    object["files"] = summary.files;
    object["clean"] = summary.clean;
    object["with_findings"] = summary.with_findings;
    object["unreadable"] = summary.unreadable;
    object["skipped"] = summary.skipped;
    if (summary.incomplete.empty()) return;
    object["incomplete"] = summary.incomplete;
    object["not_checked"] = summary.not_checked;
}

// {"schema_version": ..., "tool": ..., "files": [file, ...], "summary": ...}, each finding on a line of its own.
class JsonWriter final : public Writer {
  public:
    JsonWriter(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void begin() override {
        const std::string start = text_of({{"schema_version", kSchemaVersion}, {"tool", tool_object()}});
        sink_.write(start.substr(0, start.size() - 1) + ",\"files\":[");
    }

    void file(const Checked& checked) override {
        Json object = Json::object();
        add_file(object, checked, options_);
        const std::string head = text_of(object);
        sink_.write(any_file_ ? ",\n" : "\n");
        any_file_ = true;
        sink_.write(head.substr(0, head.size() - 1) + ",\"diagnostics\":[");
        const char* before = "\n";
        for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics()) {
            if (!is_shown(diagnostic, options_)) continue;
            Json finding = Json::object();
            add_diagnostic(finding, diagnostic);
            sink_.write(before + text_of(finding));
            before = ",\n";
        }
        sink_.write("]}");
    }

    void finish(const Summary& summary) override {
        Json object = Json::object();
        add_summary(object, summary);
        sink_.write("\n],\"summary\":" + text_of(object) + "}\n");
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
            Json object = {{"type", "diagnostic"}, {"path", checked.path}};
            add_diagnostic(object, diagnostic);
            line(object);
        }
        Json object = {{"type", "file"}};
        add_file(object, checked, options_);
        line(object);
        sink_.flush();
    }

    void finish(const Summary& summary) override {
        Json object = {{"type", "summary"}, {"schema_version", kSchemaVersion}, {"tool", tool_object()}};
        add_summary(object, summary);
        line(object);
        sink_.flush();
    }

  private:
    void line(const Json& object) { sink_.write(text_of(object) + '\n'); }

    Sink& sink_;
    WriterOptions options_;
};

Json rule_object(const Rule& rule) {
    const Format* format = format_of(rule);
    Json object = {{"id", rule.id},
                   {"format", format == nullptr ? Json(nullptr) : Json(format->id)},
                   {"severity", to_string(rule.severity)},
                   {"statement", rule.statement},
                   {"why", rule.why},
                   {"spec", rule.spec},
                   {"since", rule.since.text},
                   {"status", rule.status}};
    if (rule.severity_override)
        object["milder"] = {{"severity", to_string(rule.severity_override->severity)},
                            {"when", rule.severity_override->when}};
    return object;
}

}  // namespace

void write_rules_json(const std::vector<const Rule*>& rules, Sink& sink) {
    sink.write(R"({"schema_version":1,"rules":[)");
    const char* before = "\n";
    for (const Rule* rule : rules) {
        sink.write(before + text_of(rule_object(*rule)));
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
