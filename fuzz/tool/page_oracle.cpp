#include "fuzz/tool/page_oracle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/memory_file.hpp"
#include "validator/tool/page/page_text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

// What identifies a finding.
using FindingKey = std::tuple<std::string, uint64_t, uint64_t>;

Complaint findings_agree(const nlohmann::json& report, const Checked& checked) {
    const nlohmann::json& file = report.at("files").at(0);
    std::multiset<FindingKey> expected, written;
    for (const Diagnostic& finding : checked.outcome.report().diagnostics())
        expected.emplace(finding.rule->id, finding.place.offset, finding.place.length);
    for (const nlohmann::json& row : file.at("findings"))
        written.emplace(report.at("rules").at(row.at(0).get<size_t>()).at("id"), row.at(2), row.at(3));
    if (file.at("total").at(0) != expected.size()) return "html: the number of findings is wrong";
    if (!std::ranges::includes(expected, written)) return "html: a finding was not found";
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (file.at("counts").at(static_cast<size_t>(severity)) != checked.outcome.report().count(severity))
            return "html: the counts are wrong";
    return std::nullopt;
}

// The close-ups of a file that is its own trace: ascending, of its bytes, with fields that are in them.
Complaint close_ups_agree(const nlohmann::json& file, Bytes trace) {
    std::map<uint64_t, uint64_t> seen;
    for (const nlohmann::json& close_up : file.at("close_ups")) {
        const uint64_t start = close_up.at(0);
        const std::string hex = close_up.at(1);
        const uint64_t end = start + hex.size() / 2;
        if (end > trace.size() || !seen.emplace(start, end).second) return "html: a close-up lies outside of the file";
        for (uint64_t at = start; at < end; ++at)
            if (std::stoul(hex.substr(2 * (at - start), 2), nullptr, 16) != trace[at]) return "html: a byte is wrong";
        for (const nlohmann::json& record : close_up.at(2)) {
            for (const nlohmann::json& field : record.at(4)) {
                const int64_t from = static_cast<int64_t>(start) + field.at(0).get<int64_t>();
                const auto to = from + field.at(1).get<int64_t>();
                if (from < 0 || to < from || static_cast<uint64_t>(to) > trace.size() ||
                    static_cast<uint64_t>(to) < start || static_cast<uint64_t>(from) > end)
                    return "html: a field lies outside of its close-up";
            }
        }
    }
    uint64_t before = 0;
    for (const auto& [start, end] : seen) {
        if (start < before) return "html: close-ups overlap";
        before = end;
    }
    for (const nlohmann::json& row : file.at("findings")) {
        const uint64_t offset = row.at(2);
        const auto after = seen.upper_bound(offset);
        const bool is_seen = after != seen.begin() && offset <= std::prev(after)->second;
        if (!is_seen && !trace.empty() && file.at("total").at(1) == seen.size())
            return "html: a finding has no close-up";
    }
    return std::nullopt;
}

// Lanes, one for each kind and one for gaps, cover a file of `size` bytes and do not exceed it.
Complaint lanes_agree(const nlohmann::json& file, uint64_t size) {
    const nlohmann::json& lanes = file.at("lanes");
    if (lanes.empty()) return std::nullopt;
    if (lanes.size() != 2 + file.at("kinds").size()) return "html: a kind of records has no lane";
    const uint64_t width = lanes.at(0), cells = (size + width - 1) / width;
    std::set<uint64_t> filled;
    for (size_t lane = 1; lane < lanes.size(); ++lane) {
        uint64_t at = 0;
        for (size_t i = 0; i < lanes.at(lane).size(); i += 3) {
            at += lanes.at(lane).at(i).get<uint64_t>();
            for (uint64_t n = lanes.at(lane).at(i + 1); n != 0; --n) filled.insert(at++);
        }
    }
    if (filled.size() != cells || *filled.rbegin() != cells - 1) return "html: the lanes do not cover the file";
    return std::nullopt;
}

// The map of a file that is its own trace covers it, unless it ends where no record can be found.
Complaint map_agrees(const nlohmann::json& file, Bytes trace) {
    uint64_t covered = 0, records = 0, of_kinds = 0;
    for (const nlohmann::json& stretch : file.at("map")) {
        covered += stretch.at(0).get<uint64_t>();
        records += stretch.at(2).get<uint64_t>();
    }
    for (const nlohmann::json& kind : file.at("kinds")) of_kinds += kind.at(1).get<uint64_t>();
    if (Complaint complaint = lanes_agree(file, covered)) return complaint;
    if (covered > trace.size()) return "html: the map is longer than the file";
    if (!file.at("format").get<std::string>().empty() && covered != trace.size())
        return "html: the map is shorter than the file";
    if (records != of_kinds) return "html: the map and the kinds of records differ";
    return std::nullopt;
}

}  // namespace

std::optional<std::string_view> report_in(std::string_view page) {
    const std::string_view before = page_before_report(), after = page_after_report();
    const bool is_whole =
        page.size() >= before.size() + after.size() && page.starts_with(before) && page.ends_with(after);
    if (!is_whole) return std::nullopt;
    return page.substr(before.size(), page.size() - before.size() - after.size());
}

Complaint html_agrees(std::string_view page, const Checked& checked, std::optional<Bytes> trace) {
    if (page.size() > kPageLimit) return "html: the page is too large";
    const std::optional<std::string_view> text = report_in(page);
    if (!text) return "html: the page is not whole";
    if (text->find('<') != std::string_view::npos) return "html: the report could end its element";
    const nlohmann::json report = nlohmann::json::parse(*text, nullptr, false);
    if (report.is_discarded() || report.at("files").size() != 1) return "html: the report does not parse";
    if (Complaint complaint = findings_agree(report, checked)) return complaint;
    if (!trace) return std::nullopt;
    const nlohmann::json& file = report.at("files").at(0);
    if (Complaint complaint = close_ups_agree(file, *trace)) return complaint;
    return map_agrees(file, *trace);
}

Complaint page(const Input& input) {
    const Outcome outcome = check_all(input);
    const MemoryFile file(input.bytes);
    if (outcome.container != Container::none) return std::nullopt;
    const Checked checked{file.path(), outcome};
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind("html")->make(sink, {});
    writer->begin();
    writer->file(checked);
    writer->finish({});
    return html_agrees(sink.text, checked, input.bytes);
}

}  // namespace tracelint
