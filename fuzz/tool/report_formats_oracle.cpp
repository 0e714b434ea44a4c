#include "fuzz/tool/report_formats_oracle.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/tool/xml.hpp"
#include "validator/tool/json/checked.hpp"

namespace tracelint {
namespace {

constexpr size_t kLongestComment = 65'536;  // characters that GitHub takes
constexpr size_t kMostJunitLines = 1'000;   // of findings, in one element

Complaint sarif_agrees(const nlohmann::json& json, const Checked& checked) {
    if (json.is_discarded()) return "sarif: does not parse";
    const std::vector<Diagnostic>& found = checked.outcome.report().diagnostics();
    const nlohmann::json &run = json.at("runs").at(0), &results = run.at("results");
    const nlohmann::json& rules = run.at("tool").at("driver").at("rules");
    if (results.size() != std::min(found.size(), kMostSarifResults)) return "sarif: findings are missing";
    std::set<std::string> fingerprints;
    std::multiset<uint64_t> written, expected;
    for (const nlohmann::json& result : results) {
        const nlohmann::json& place = result.at("locations").at(0).at("physicalLocation");
        if (!is_uri_reference(place.at("artifactLocation").at("uri").get<std::string>()))
            return "sarif: a URI is wrong";
        if (rules.at(result.at("ruleIndex").get<size_t>()).at("id") != result.at("ruleId"))
            return "sarif: the index of a rule is wrong";
        if (place.at("region").at("startLine") != 1) return "sarif: a finding has no line";
        written.insert(place.at("region").at("byteOffset").get<uint64_t>());
        fingerprints.insert(result.at("partialFingerprints").at("primaryLocationLineHash").get<std::string>());
    }
    if (fingerprints.size() != results.size()) return "sarif: two findings have the same fingerprint";
    for (const Diagnostic& diagnostic : found) expected.insert(diagnostic.place.offset);
    if (found.size() <= kMostSarifResults && written != expected) return "sarif: an offset is wrong";
    return std::nullopt;
}

Complaint gitlab_agrees(const nlohmann::json& json, const Checked& checked) {
    if (json.is_discarded()) return "gitlab: does not parse";
    const Report& report = checked.outcome.report();
    std::set<std::string> fingerprints;
    for (const nlohmann::json& issue : json) {
        fingerprints.insert(issue.at("fingerprint").get<std::string>());
        const std::set<std::string> severities = {"info", "minor", "major", "critical", "blocker"};
        if (!severities.contains(issue.at("severity").get<std::string>())) return "gitlab: a severity is wrong";
        if (issue.at("description").get<std::string>().empty()) return "gitlab: an issue says nothing";
        if (!issue.at("check_name").is_string()) return "gitlab: an issue has no check";
        if (issue.at("location").at("lines").at("begin") != 1) return "gitlab: an issue has no line";
        if (!issue.at("location").at("path").is_string()) return "gitlab: an issue has no path";
    }
    if (fingerprints.size() != json.size()) return "gitlab: two issues have the same fingerprint";
    if (json.size() != report.diagnostics().size() + !report.not_kept().empty()) return "gitlab: findings are missing";
    return std::nullopt;
}

// Each line is a workflow command, or the total at the end.
Complaint github_agrees(std::string_view text, const Checked& checked) {
    std::array<size_t, 3> written{};
    for (bool is_total = false; !text.empty();) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.size() == text.size()) return "github: the last line has no newline";
        text.remove_prefix(line.size() + 1);
        const bool is_command = line.starts_with("::");
        if (!is_command && !line.starts_with("tracelint: ")) return "github: a line is no command";
        if (is_command && is_total) return "github: a command follows the total";
        is_total = !is_command;
        if (is_total) continue;
        constexpr std::string_view kStarts[] = {"::notice file=", "::warning file=", "::error file="};
        const auto* const start =
            std::ranges::find_if(kStarts, [&](std::string_view word) { return line.starts_with(word); });
        if (start == std::end(kStarts)) return "github: a command is unknown";
        ++written[static_cast<size_t>(start - kStarts)];
        // The properties end at the first colons, and a comma separates them: three in all, whatever the path holds.
        const std::string_view properties = line.substr(start->size(), line.find("::", 2) - start->size());
        if (std::ranges::count(properties, ',') != 2 || properties.find(':') != std::string_view::npos)
            return "github: the properties are not escaped";
    }
    std::array<size_t, 3> expected{};
    for (const Diagnostic& diagnostic : checked.outcome.report().diagnostics())
        ++expected[static_cast<size_t>(severity_of(diagnostic))];
    return written == expected ? Complaint{} : "github: findings are missing";
}

// What Jenkins' schema (junit-10.xsd of its xUnit plugin) says of an element. Its sequences are choices, so the order
// of children is free.
struct JunitElement {
    std::set<std::string> required, optional, children;
    bool has_text = false;
};

// The findings that a text has: one in each line, but for the last, which may say how many are not shown. Nothing if it
// has too many lines.
std::optional<uint64_t> findings_in(std::string_view text) {
    uint64_t lines = 0, not_shown = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line(text.substr(at, end - at));
        if (line.ends_with(" not shown") && line.find_first_not_of("0123456789") == line.find(" finding"))
            not_shown += std::stoull(line);
        else
            ++lines;
        at = end + 1;
    }
    return lines > kMostJunitLines ? std::nullopt : std::optional(lines + not_shown);
}

// The number of cells of a table's row, or 0 if a cell is not closed.
size_t cells_of(std::string_view row) {
    size_t bars = 0;
    for (size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '\\')
            ++i;
        else
            bars += row[i] == '|';
    }
    return row.ends_with(" |") || row.ends_with("-|") ? bars - 1 : 0;
}

}  // namespace

bool is_uri_reference(std::string_view uri) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    if (uri.starts_with("file:///")) uri.remove_prefix(7);
    if (uri.starts_with("//")) return false;  // would name a host
    for (size_t i = 0; i < uri.size(); ++i) {
        if (kPlain.find(uri[i]) != std::string_view::npos) continue;
        if (uri[i] != '%' || uri.size() - i < 3) return false;
        if (kDigits.find(uri[i + 1]) == std::string_view::npos || kDigits.find(uri[i + 2]) == std::string_view::npos)
            return false;
        i += 2;
    }
    return true;
}

std::string junit_fault(const XmlElement& element) {
    static const std::map<std::string, JunitElement> kSchema = {
        {"testsuites", {{}, {"name", "time", "tests", "failures", "errors"}, {"testsuite"}}},
        {"testsuite",
         {{"name", "tests", "failures", "errors"},
          {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
          {"testsuite", "properties", "testcase", "system-out", "system-err"}}},
        {"testcase",
         {{"name"}, {"time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}}},
        {"failure", {{}, {"type", "message"}, {}, true}},
        {"error", {{}, {"type", "message"}, {}, true}},
        {"system-out", {{}, {}, {}, true}},
    };
    const auto known = kSchema.find(element.name);
    if (known == kSchema.end()) return element.name + " is unknown";
    const JunitElement& allowed = known->second;
    for (const std::string& name : allowed.required)
        if (!element.attributes.contains(name)) return element.name + " has no " + name;
    for (const auto& [name, value] : element.attributes)
        if (!allowed.required.contains(name) && !allowed.optional.contains(name))
            return element.name + " has an attribute " + name;
    if (!allowed.has_text && element.text.find_first_not_of('\n') != std::string::npos)
        return element.name + " has text";
    for (const XmlElement& child : element.children) {
        if (!allowed.children.contains(child.name)) return child.name + " stands in " + element.name;
        if (std::string fault = junit_fault(child); !fault.empty()) return fault;
    }
    return {};
}

Complaint junit_agrees(std::string_view text, const Checked& checked) {
    const std::optional<XmlElement> root = read_xml(text);
    if (!root) return "junit: is not well-formed XML";
    if (const std::string fault = junit_fault(*root); !fault.empty()) return "junit: " + fault;
    const XmlElement& suite = root->children.at(0);
    size_t failures = 0;
    std::set<std::pair<std::string, std::string>> names;
    for (const XmlElement& test : suite.children) {
        failures += !test.children.empty() && test.children.front().name == "failure";
        names.emplace(test.attribute("classname"), test.attribute("name"));
    }
    if (suite.children.empty()) return "junit: a suite has no test";
    if (names.size() != suite.children.size()) return "junit: two tests have the same name";
    if (suite.attribute("tests") != std::to_string(suite.children.size())) return "junit: the number of tests is wrong";
    if (suite.attribute("failures") != std::to_string(failures)) return "junit: the number of failures is wrong";
    const Report& report = checked.outcome.report();
    if ((report.count(Severity::error) != 0) != (failures != 0)) return "junit: the verdict is wrong";
    uint64_t written = 0, expected = 0;
    for (const XmlElement& test : suite.children) {
        for (const XmlElement& child : test.children) {
            const std::optional<uint64_t> findings = findings_in(child.text);
            if (!findings) return "junit: a text is too long";
            written += *findings;
        }
    }
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        expected += report.count(severity);
    if (written != expected) return "junit: findings are missing";
    return std::nullopt;
}

Complaint markdown_agrees(std::string_view text) {
    if (text.size() > kLongestComment) return "markdown: is too long for a comment";
    size_t cells = 0;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        if (line.size() == text.size()) return "markdown: the last line has no newline";
        text.remove_prefix(line.size() + 1);
        if (line.starts_with("|") && cells == 0) cells = cells_of(line);
        if (line.starts_with("|") && (cells < 4 || cells_of(line) != cells)) return "markdown: a row has other cells";
        if (!line.starts_with("|")) cells = 0;
        for (size_t at = line.find('<'); at != std::string_view::npos; at = line.find('<', at + 1)) {
            constexpr std::string_view kTags[] = {"<br>",       "<code>",    "</code>",   "<details>",
                                                  "</details>", "<summary>", "</summary>"};
            const bool is_escaped = at > 0 && line[at - 1] == '\\';
            const bool is_own =
                std::ranges::any_of(kTags, [&](std::string_view tag) { return line.substr(at).starts_with(tag); });
            if (!is_escaped && !is_own) return "markdown: markup that is not its own";
        }
    }
    return std::nullopt;
}

Complaint report_format_agrees(std::string_view kind, const std::string& text, const Checked& checked) {
    if (kind == "sarif") return sarif_agrees(nlohmann::json::parse(text, nullptr, false), checked);
    if (kind == "gitlab") return gitlab_agrees(nlohmann::json::parse(text, nullptr, false), checked);
    if (kind == "github") return github_agrees(text, checked);
    if (kind == "junit") return junit_agrees(text, checked);
    if (kind == "markdown") return markdown_agrees(text);
    return std::nullopt;
}

}  // namespace tracelint
