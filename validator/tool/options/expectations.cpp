// Reads what the user expects, and judges files by it.
#include "validator/tool/options/expectations.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/report/expectation_rules.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::string_view kKeys[] = {"format", "statistics", "names", "files"};

const Format* read_format(const LocatedJson& value) {
    std::vector<std::string_view> ids;
    for (const Format* format : formats()) ids.push_back(format->id);
    const Format* format = value.kind == Kind::string ? find_format(value.text) : nullptr;
    if (format == nullptr)
        refuse_json(value.at,
                    fmt::format("invalid format; expected {}{}", either_of(ids), did_you_mean(value.text, ids)));
    return format;
}

// A number from 0 up to what 64 bits hold.
uint64_t read_count(const LocatedJson& value, std::string_view what) {
    uint64_t count = 0;
    const bool digits = std::ranges::all_of(value.text, [](char c) { return c >= '0' && c <= '9'; });
    if (value.kind != Kind::number || !digits || !parse_size(value.text, count))
        refuse_json(value.at, fmt::format("{} must be 0 or more", what));
    return count;
}

// The statistics of the format; null: of all formats.
std::vector<std::string_view> statistics_of(const Format* format) {
    if (format != nullptr) return format->statistics();
    std::vector<std::string_view> names;
    for (const Format* known : formats())
        for (const std::string_view name : known->statistics())
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

void read_statistics(const LocatedJson& value, Expectations& expectations) {
    if (value.kind != Kind::object) refuse_json(value.at, "statistics must be an object");
    const std::vector<std::string_view> known = statistics_of(expectations.format);
    for (const LocatedJson::Member& member : value.members) {
        if (std::ranges::find(known, member.key) == known.end())
            refuse_json(
                member.at,
                fmt::format("unknown statistic '{}'{}; --statistics shows those of a file{}", shortened(member.key),
                            expectations.format == nullptr ? "" : fmt::format(" of {}", expectations.format->id),
                            did_you_mean(member.key, known)));
        expectations.statistics.emplace_back(member.key, read_count(member.value, "the count of a statistic"));
    }
}

void read_name(const LocatedJson& pattern, Expectations& expectations, size_t& name_bytes) {
    if (pattern.kind != Kind::string) refuse_json(pattern.at, "names must be a string or an array of strings");
    if (const std::string fault = Glob::fault_of(pattern.text); !fault.empty()) refuse_json(pattern.at, fault);
    if (printable(pattern.text) != pattern.text) refuse_json(pattern.at, "a pattern has unprintable characters");
    name_bytes += pattern.text.size();
    if (name_bytes > kMostNamePatterns)
        refuse_json(pattern.at,
                    fmt::format("the patterns for names take more than {} bytes together", kMostNamePatterns));
    expectations.names.emplace_back(pattern.text, Glob::Of::names);
}

void read_names(const LocatedJson& value, Expectations& expectations, size_t& name_bytes) {
    if (expectations.format != nullptr && !expectations.format->has_names)
        refuse_json(value.at, fmt::format("files of format {} have no names of functions", expectations.format->id));
    if (value.kind != Kind::array) return read_name(value, expectations, name_bytes);
    for (const LocatedJson& element : value.elements) read_name(element, expectations, name_bytes);
}

const LocatedJson::Member* member_of(const LocatedJson& object, std::string_view key) {
    const auto found = std::ranges::find(object.members, key, &LocatedJson::Member::key);
    return found == object.members.end() ? nullptr : &*found;
}

void require_known_keys(const LocatedJson& value, bool is_override) {
    for (const LocatedJson::Member& member : value.members) {
        if (std::ranges::find(kKeys, member.key) == std::end(kKeys))
            refuse_json(member.at, fmt::format("unknown key '{}' in expect; expected {}{}", shortened(member.key),
                                               either_of(kKeys), did_you_mean(member.key, kKeys)));
        if (member.key == "files" && !is_override) refuse_json(member.at, "files can only be expected in an override");
    }
}

}  // namespace

Expectations read_expectations(const LocatedJson& value, bool is_override, size_t& name_bytes) {
    Expectations expectations;
    expectations.is_given = true;
    if (value.kind == Kind::string) {
        expectations.format = read_format(value);
        return expectations;
    }
    if (value.kind != Kind::object) refuse_json(value.at, "expect must be an object or a format");
    require_known_keys(value, is_override);
    // The format decides which statistics and names there can be.
    if (const auto* format = member_of(value, "format")) expectations.format = read_format(format->value);
    if (const auto* statistics = member_of(value, "statistics")) read_statistics(statistics->value, expectations);
    if (const auto* names = member_of(value, "names")) read_names(names->value, expectations, name_bytes);
    if (const auto* files = member_of(value, "files")) expectations.files = read_count(files->value, "files");
    return expectations;
}

void FileDemands::add(const Expectations& later) {
    is_given |= later.is_given;
    if (later.format != nullptr) format = later.format;
    for (const auto& [name, least] : later.statistics) {
        std::erase_if(statistics, [&](const auto& earlier) { return *earlier.first == name; });
        statistics.emplace_back(&name, least);
    }
    for (const Glob& name : later.names) names.push_back(&name);
}

void DemandCheck::on_name(Bytes name) { names_.add(as_text(name)); }

namespace {

bool has_error_about_end(const Report& report) {
    return std::ranges::any_of(report.diagnostics(), [](const Diagnostic& finding) {
        return (finding.about_end || finding.rule->about_end) && severity_of(finding) == Severity::error;
    });
}

}  // namespace

// A file of unknown format already has an error, unless the user turned that rule off: check() asks for the format.
void DemandCheck::judge(Outcome& outcome) {
    Report& report = outcome.context.report;
    if (outcome.format == nullptr && report.count(Severity::error) != 0) return;
    if (outcome.format == nullptr || (demands_.format != nullptr && outcome.format != demands_.format))
        return judge_format(outcome);
    // What was left out may be what is missing, and the file's end has an error already that says why it is.
    if (outcome.context.limit_hit || has_error_about_end(report)) return;
    judge_statistics(outcome);
    // That a file lacks records explains that it names nothing.
    if (names_.added() != 0 || report.count(kExpectedStatistic) == 0) judge_names(outcome);
}

void DemandCheck::judge_statistics(Outcome& outcome) const {
    for (const auto& [name, least] : demands_.statistics) {
        uint64_t count = 0;
        for (const auto& [counted, number] : outcome.context.statistics)
            if (counted == *name) count = number;
        if (count >= least) continue;
        Diagnostic finding;
        finding.rule = &kExpectedStatistic;
        finding.numbers = {count, least};
        finding.text = *name;
        outcome.context.report.add(finding);
    }
}

void DemandCheck::judge_names(Outcome& outcome) const {
    for (size_t i = 0; i < demands_.names.size(); ++i) {
        if (names_.is_matched(i)) continue;
        Diagnostic finding;
        finding.rule = &kExpectedName;
        finding.numbers = {names_.added()};
        finding.text = demands_.names[i]->pattern();
        outcome.context.report.add(finding);
    }
}

void DemandCheck::judge_format(Outcome& outcome) const {
    Diagnostic finding;
    finding.rule = &kExpectedFormat;
    finding.text = demands_.format == nullptr ? "any known format" : demands_.format->id;
    outcome.context.report.add(finding);
}

}  // namespace tracelint
