#include "fuzz/tool/writers_oracle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/report_formats_oracle.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/service_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// Each byte may take four where it is escaped, and Markdown shows the last 200.
constexpr size_t kLongestDistinctPath = 50;

// Whether a path in JSON is the one that was checked, whatever bytes it has.
bool is_path(const nlohmann::json& written, std::string_view path) {
    return path_of_text(written.get<std::string>()) == path;
}

Complaint json_agrees(const nlohmann::json& json, const Checked& checked) {
    if (json.is_discarded()) return "json: does not parse";
    const Report& report = checked.outcome.report();
    const nlohmann::json& file = json.at("files").at(0);
    if (!is_path(file.at("path"), checked.path)) return "json: the path is wrong";
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (file.at("counts").at(std::string(to_string(severity))) != report.count(severity))
            return "json: the counts are wrong";
    if (file.at("diagnostics").size() != report.diagnostics().size()) return "json: findings are missing";
    for (size_t i = 0; i < report.diagnostics().size(); ++i) {
        const nlohmann::json& written = file.at("diagnostics").at(i);
        const Diagnostic& found = report.diagnostics()[i];
        if (written.at("rule") != found.rule->id || written.at("offset") != found.place.offset ||
            written.at("length") != found.place.length)
            return "json: finding " + std::to_string(i) + " differs";
    }
    return std::nullopt;
}

Complaint ndjson_agrees(std::string_view text, const Checked& checked) {
    uint64_t findings = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        if (end == std::string_view::npos) return "ndjson: the last line has no newline";
        const nlohmann::json line = nlohmann::json::parse(text.substr(at, end - at), nullptr, false);
        if (line.is_discarded()) return "ndjson: a line does not parse";
        findings += line.at("type") == "diagnostic";
        if (line.contains("path") && !is_path(line.at("path"), checked.path)) return "ndjson: a path is wrong";
        at = end + 1;
    }
    if (findings != checked.outcome.report().diagnostics().size()) return "ndjson: findings are missing";
    return std::nullopt;
}

// Paths that might be mistaken for another one: what outputs show for it, or would if they escaped less.
std::vector<std::string> lookalikes_of(const std::string& path) {
    std::vector<std::string> paths = {printable(path),
                                      path_text(path, PathEscapes::unprintable),
                                      path_text(path, PathEscapes::not_utf8),
                                      path_of_text(path),
                                      shown_path(path),
                                      nlohmann::json::parse(json_string(path)).get<std::string>()};
    std::erase(paths, path);
    return paths;
}

}  // namespace

std::string written_by(const WriterKind& kind, const Checked& checked, const WriterOptions& options) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = kind.make(sink, options);
    writer->begin();
    writer->file(checked);
    Summary summary;
    summary.files = 1;
    (checked.outcome.report().diagnostics().empty() ? summary.clean : summary.with_findings) = 1;
    writer->finish(summary);
    return sink.text;
}

bool is_printable(std::string_view text) {
    for (Bytes rest = as_bytes(text); !rest.empty();) {
        if (rest[0] >= 0x20 && rest[0] < 0x7f) {
            rest = rest.subspan(1);
            continue;
        }
        const Utf8Sequence sequence = first_utf8_sequence(rest);
        if (!sequence.well_formed) return false;
        if (sequence.code != '\n' && is_unprintable(sequence.code)) return false;
        rest = rest.subspan(sequence.length);
    }
    return true;
}

Complaint writes(const WriterKind& kind, const Checked& checked) {
    WriterOptions options;
    options.statistics = true;
    const std::string text = written_by(kind, checked, options);
    // The page around an html report is the same every time.
    if (!is_printable(report_in(text).value_or(text)))
        return std::string(kind.name) + ": the output has unprintable characters";
    if (kind.name == "json") return json_agrees(nlohmann::json::parse(text, nullptr, false), checked);
    if (kind.name == "ndjson") return ndjson_agrees(text, checked);
    if (kind.name == "html") return html_agrees(text, checked);
    return report_format_agrees(kind.name, text, checked);
}

void write_in_colour(const WriterKind& kind, const Checked& checked) {
    WriterOptions options;
    options.statistics = options.colour = true;
    options.min_severity = Severity::error;
    (void)written_by(kind, checked, options);
}

Complaint paths_differ(const WriterKind& kind, const std::string& one, const std::string& other) {
    const Outcome outcome = check_all({});
    const bool is_same_file = repository_path(one) == repository_path(other) && (one == "-") == (other == "-");
    const bool is_cut = kind.name == "markdown" && std::max(one.size(), other.size()) > kLongestDistinctPath;
    if (is_same_file || is_cut) return std::nullopt;
    if (written_by(kind, {one, outcome}, {}) != written_by(kind, {other, outcome}, {})) return std::nullopt;
    return std::string(kind.name) + " is the same for two paths: " + tracelint::quoted(one) + " and " +
           tracelint::quoted(other);
}

Complaint has_no_lookalike(const WriterKind& kind, const std::string& path) {
    for (const std::string& other : lookalikes_of(path))
        if (Complaint complaint = paths_differ(kind, path, other)) return complaint;
    return std::nullopt;
}

Complaint writers(const Input& input, const std::string& path) {
    const Outcome outcome = check_all(input);
    const Checked checked{path, outcome};
    for (const WriterKind& kind : writer_kinds()) {
        if (const Complaint complaint = writes(kind, checked)) return complaint;
        // A page has no colours of a terminal, and takes longest.
        if (kind.name != "html") write_in_colour(kind, checked);
    }
    return std::nullopt;
}

}  // namespace tracelint
