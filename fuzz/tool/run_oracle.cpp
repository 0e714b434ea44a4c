#include "fuzz/tool/run_oracle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/report_formats_oracle.hpp"
#include "fuzz/tool/writers_oracle.hpp"
#include "fuzz/tool/xml.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/option_words.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

struct Run {
    const std::vector<Checked>& files;
    const Summary& summary;

    uint64_t count_new(Severity severity) const {
        uint64_t count = 0;
        for (const Checked& file : files) count += file.count_new(severity);
        return count;
    }
};

std::string written_of(const WriterKind& kind, const Run& run) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = kind.make(sink, {});
    writer->begin();
    for (const Checked& file : run.files) writer->file(file);
    writer->finish(run.summary);
    return sink.text;
}

Complaint sarif_of_run(const nlohmann::json& json, const Run& run) {
    if (json.is_discarded()) return "sarif: does not parse";
    uint64_t found = 0, known = 0, suppressed = 0;
    for (const Checked& file : run.files) {
        for (const Diagnostic& finding : file.outcome.report().diagnostics()) {
            ++found;
            known += file.entry_of(finding) != nullptr;
        }
    }
    std::set<std::string> fingerprints;
    const nlohmann::json& results = json.at("runs").at(0).at("results");
    for (const nlohmann::json& result : results) {
        fingerprints.insert(result.at("partialFingerprints").at("primaryLocationLineHash").get<std::string>());
        suppressed += result.contains("suppressions") && !result.at("suppressions").empty();
    }
    if (fingerprints.size() != results.size()) return "sarif: findings of a run have the same fingerprint";
    if (results.size() != std::min<uint64_t>(found, kMostSarifResults)) return "sarif: findings of a run are missing";
    if (found <= kMostSarifResults && suppressed != known) return "sarif: known findings are not suppressed";
    const nlohmann::json& invocation = json.at("runs").at(0).at("invocations").at(0);
    return invocation.at("executionSuccessful") == false ? Complaint{} : "sarif: the run seems to be whole";
}

Complaint gitlab_of_run(const nlohmann::json& json) {
    if (json.is_discarded()) return "gitlab: does not parse";
    std::set<std::string> fingerprints;
    for (const nlohmann::json& issue : json) fingerprints.insert(issue.at("fingerprint").get<std::string>());
    if (fingerprints.size() != json.size()) return "gitlab: issues of a run have the same fingerprint";
    uint64_t blocking = 0;
    for (const nlohmann::json& issue : json) blocking += issue.at("severity") == "blocker";
    return blocking == 2 ? Complaint{} : "gitlab: the unread file or the signal is missing";
}

Complaint json_of_run(const nlohmann::json& json, const Run& run) {
    if (json.is_discarded()) return "json: does not parse";
    const nlohmann::json& files = json.at("files");
    if (files.size() != run.files.size()) return "json: files are missing";
    for (size_t i = 0; i < run.files.size(); ++i) {
        const Checked& file = run.files[i];
        if (files.at(i).at("verdict") != verdict_of(file)) return "json: the verdict of a file is wrong";
        uint64_t known = 0, suppressed = 0;
        for (const Diagnostic& finding : file.outcome.report().diagnostics())
            known += file.entry_of(finding) != nullptr;
        for (const nlohmann::json& finding : files.at(i).at("diagnostics"))
            suppressed += finding.contains("suppressed");
        if (known != suppressed) return "json: known findings are not suppressed";
    }
    if (json.at("summary").at("not_checked") != run.summary.not_checked) return "json: the summary is wrong";
    return std::nullopt;
}

Complaint junit_of_run(std::string_view text, const Run& run) {
    const std::optional<XmlElement> root = read_xml(text);
    if (!root) return "junit: is not well-formed XML";
    if (const std::string fault = junit_fault(*root); !fault.empty()) return "junit: " + fault;
    if (root->children.size() != run.files.size() + 1) return "junit: suites are missing";
    for (size_t i = 0; i < run.files.size(); ++i) {
        const bool fails = root->children.at(i).attribute("failures") != "0";
        if (fails != (run.files[i].count_new(Severity::error) != 0)) return "junit: the verdict of a suite is wrong";
    }
    return root->children.back().attribute("errors") == "1" ? Complaint{} : "junit: the signal is missing";
}

// The headline has the counts of new findings.
Complaint markdown_of_run(std::string_view text, const Run& run) {
    if (Complaint complaint = markdown_agrees(text)) return complaint;
    std::string verdict;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        if (severity == Severity::note && verdict.empty()) verdict = "ok";
        if (const uint64_t count = run.count_new(severity); count != 0)
            verdict += (verdict.empty() ? "" : ", ") + counted(count, to_string(severity));
    }
    const std::string headline = "### tracelint: " + verdict;
    if (!text.starts_with(headline + '\n')) return "markdown: the headline is wrong";
    return text.find(incomplete_text(run.summary)) != text.npos ? Complaint{} : "markdown: the signal is missing";
}

Complaint html_of_run(std::string_view page, const Run& run) {
    const std::optional<std::string_view> text = report_in(page);
    const nlohmann::json report = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    if (!report.is_object()) return "html: the report does not parse";
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (report.at("summary").at("counts").at(static_cast<size_t>(severity)) != run.count_new(severity))
            return "html: the counts of the run are wrong";
    if (report.at("summary").at("incomplete") != run.summary.incomplete) return "html: the signal is missing";
    for (size_t i = 0; i < run.files.size(); ++i) {
        uint64_t listed = 0;
        for (const Diagnostic& finding : run.files[i].outcome.report().diagnostics())
            listed += run.files[i].entry_of(finding) == nullptr;
        if (report.at("files").at(i).at("total").at(0) != listed) return "html: findings of a file are missing";
        if (report.at("files").at(i).at("pairings").size() != run.files[i].outcome.pairings.size())
            return "html: a pairing is missing";
    }
    return std::nullopt;
}

Complaint run_agrees(const WriterKind& kind, const Run& run) {
    const std::string text = written_of(kind, run);
    if (!is_printable(report_in(text).value_or(text)))
        return std::string(kind.name) + ": the output of a run has unprintable characters";
    if (kind.name == "sarif") return sarif_of_run(nlohmann::json::parse(text, nullptr, false), run);
    if (kind.name == "gitlab") return gitlab_of_run(nlohmann::json::parse(text, nullptr, false));
    if (kind.name == "json") return json_of_run(nlohmann::json::parse(text, nullptr, false), run);
    if (kind.name == "junit") return junit_of_run(text, run);
    if (kind.name == "markdown") return markdown_of_run(text, run);
    if (kind.name == "html") return html_of_run(text, run);
    return std::nullopt;
}

}  // namespace

Complaint run_of(const WriterKind& kind, const Input& input, const std::string& path) {
    const Outcome first = check_all(input);
    Outcome second = check_all(input);
    second.pairings.push_back({.recording = path, .functions = 3, .processes = 1, .pid = 7, .samples = 2});
    Outcome third{CheckOptions{}};
    third.failure = "interrupted: " + path;

    const std::vector<Diagnostic>& found = second.report().diagnostics();
    BaselineEntry entry{.path = path, .reason = path};
    KnownFindings known;
    if (!found.empty()) {
        entry.rule = found.front().rule;
        entry.count = second.report().count(*entry.rule);
        known.known.emplace(entry.rule->id, &entry);
    }
    const BaselineSummary baseline{.name = path, .known = known.count(second.report()), .stale = {}};
    std::vector<ReaderVerdict> readers;
    for (const TraceReader* reader : readers_named("any")) readers.push_back({.reader = reader});
    const std::vector<Checked> files = {
        {.path = "1/" + path, .outcome = first},
        {.path = "2/" + path, .outcome = second, .known = &known, .readers = readers},
        {.path = "3/" + path, .outcome = third},
    };
    Summary summary{.files = 3, .unreadable = 1};
    summary.incomplete = "interrupted by SIGTERM";
    summary.not_checked = 2;
    summary.cut = 1;
    summary.baseline = &baseline;
    return run_agrees(kind, {files, summary});
}

}  // namespace tracelint
