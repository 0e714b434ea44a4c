// The list of writers, and helpers that they share.
#include "validator/tool/writers/writer.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr WriterKind kKinds[] = {
    {"text", "findings with the bytes around them, for people", make_text_writer, "txt log"},
    {"concise", "one line per finding, without notes", make_concise_writer, "", 0, true},
    {"json", "one document", make_json_writer},
    {"ndjson", "one JSON object per line", make_ndjson_writer, "jsonl jsonlines"},
    {"sarif", "SARIF 2.1.0, for code scanning", make_sarif_writer, "", kMostSarifFindings},
    {"github", "annotations of a GitHub workflow, without notes", make_github_writer, "", 0, true},
    {"gitlab", "a GitLab Code Quality report", make_gitlab_writer},
    {"junit", "JUnit XML: a suite per file, a test per section", make_junit_writer, "xml"},
    {"markdown", "a summary for a comment or $GITHUB_STEP_SUMMARY", make_markdown_writer, "md"},
    {"html", "an HTML page that shows the marked bytes", make_html_writer, "htm"},
};

}  // namespace

std::span<const WriterKind> writer_kinds() { return kKinds; }

const WriterKind* find_writer_kind(std::string_view name) {
    for (const WriterKind& kind : kKinds)
        if (kind.name == name) return &kind;
    return nullptr;
}

const WriterKind* writer_kind_of_ending(std::string_view ending) {
    if (const WriterKind* kind = find_writer_kind(ending)) return kind;
    for (const WriterKind& kind : kKinds)
        for (size_t start = 0; start < kind.endings.size();) {
            const size_t end = std::min(kind.endings.find(' ', start), kind.endings.size());
            if (kind.endings.substr(start, end - start) == ending) return &kind;
            start = end + 1;
        }
    return nullptr;
}

std::string doc_of(const WriterKind& kind) {
    std::string doc(kind.doc);
    if (kind.most_findings != 0) doc += fmt::format("; {} findings", grouped(kind.most_findings));
    return doc;
}

std::string known_text(const Summary& summary) {
    if (summary.baseline == nullptr || summary.baseline->known == 0) return {};
    return fmt::format("{} in {}", counted(summary.baseline->known, "known finding"),
                       printable(summary.baseline->name));
}

std::string place_text(const Diagnostic& diagnostic, Container container) {
    std::string text = fmt::format("at offset {:#x}", diagnostic.place.offset);
    if (const uint64_t length = diagnostic.place.length; length != 0) text = counted(length, "byte") + ' ' + text;
    if (container != Container::none && !diagnostic.rule->of_container) text += " of the decompressed data";
    if (const std::string field = field_path(diagnostic.place); !field.empty()) text += ", " + field;
    if (!diagnostic.related_file.empty()) text += "; with " + related_text(diagnostic);
    return text;
}

std::string related_text(const Diagnostic& diagnostic) {
    std::string text;
    if (diagnostic.related_offset != kNone)
        text = fmt::format("{} at {:#x}", counted(diagnostic.related_length, "byte"), diagnostic.related_offset);
    if (diagnostic.related_file.empty()) return text;
    const std::string file = shown_path(diagnostic.related_file);
    return text.empty() || diagnostic.related_length == 0 ? file : text + " of " + file;
}

std::string totals_of(const Summary& summary) {
    const std::string skipped = summary.skipped == 0 ? "" : fmt::format("; {} skipped", summary.skipped);
    if (summary.files == 0) return "no file was checked" + skipped;
    const auto with = [&](Severity worst) { return summary.with_worst_of[static_cast<size_t>(worst)]; };
    const std::pair<uint64_t, std::string_view> parts[] = {{with(Severity::error), "with errors"},
                                                           {with(Severity::warning), "with warnings"},
                                                           {with(Severity::note), "with notes only"},
                                                           {summary.clean, "ok"},
                                                           {summary.unreadable, "unreadable"}};
    std::string line = counted(summary.files, "file");
    for (const auto& [count, what] : parts)
        if (count != 0) line += fmt::format("{} {} {}", line.find(':') == line.npos ? ":" : ",", count, what);
    line += skipped;
    if (const std::string known = known_text(summary); !known.empty()) line += "; " + known;
    return line;
}

// The part that was read of an interrupted input says little about it.
std::string not_checked_text(const Summary& summary) {
    return fmt::format("{}; {} not checked", summary.incomplete, counted(summary.not_checked + summary.cut, "input"));
}

std::string incomplete_text(const Summary& summary) { return "incomplete: " + not_checked_text(summary); }

}  // namespace tracelint
