// The oracle for expectations: patterns for names match the same names together as one by one, at a bounded cost, and
// each thing that is missing is one finding.
#pragma once

#include <algorithm>

#include "fuzz/oracles.hpp"
#include "validator/tool/options/expectations.hpp"

namespace tracelint {

// Names out of the bytes of a text, and the text itself.
inline std::vector<std::string_view> names_in_text(std::string_view text) {
    constexpr size_t kMostNames = 50;
    std::vector<std::string_view> names{text};
    for (size_t at = 0; at < text.size() && names.size() < kMostNames;) {
        const size_t end = std::min(text.find_first_of("\"* ", at), text.size());
        names.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return names;
}

inline Complaint names_are_found(const FileDemands& demands, const std::vector<std::string_view>& names) {
    NamePatterns together(demands.names);
    uint64_t bytes = 0;
    for (const std::string_view name : names) {
        together.add(name);
        bytes += name.size();
    }
    for (size_t i = 0; i < demands.names.size(); ++i) {
        const Glob& glob = *demands.names[i];
        const bool is_matched = std::ranges::any_of(names, [&](std::string_view name) { return glob.matches(name); });
        if (is_matched != together.is_matched(i)) return "together, patterns match other names: " + glob.pattern();
    }
    // Up to two bits for each byte of a pattern, and one for its end.
    if (together.steps() > bytes * (3 * kMostNamePatterns / 64)) return "hearing names takes too many steps";
    return std::nullopt;
}

// Findings of a jitdump with 3 records, one of them a LOAD, and these names.
inline uint64_t findings_of(const FileDemands& demands, const std::vector<std::string_view>& names, bool limit_hit) {
    Outcome outcome{CheckOptions()};
    outcome.format = find_format("jitdump");
    outcome.context.statistics = {{"records", 3}, {"LOAD", 1}};
    outcome.context.limit_hit = limit_hit;
    DemandCheck check(demands);
    if (NameListener* listener = check.names())
        for (const std::string_view name : names) listener->on_name(as_bytes(name));
    check.judge(outcome);
    return outcome.report().count(Severity::error);
}

inline Complaint demands_are_judged(const FileDemands& demands, std::string_view text) {
    const std::vector<std::string_view> names = names_in_text(text);
    if (const Complaint complaint = names_are_found(demands, names)) return complaint;
    uint64_t missing = 0;
    for (const auto& [statistic, least] : demands.statistics)
        missing += least > (*statistic == "records" ? 3u : *statistic == "LOAD" ? 1u : 0u);
    for (const Glob* glob : demands.names)
        missing += std::ranges::none_of(names, [&](std::string_view name) { return glob->matches(name); });
    const bool is_foreign = demands.format != nullptr && demands.format->id != "jitdump";
    if (findings_of(demands, names, false) != (is_foreign ? 1 : missing)) return "what is missing is not what is found";
    if (findings_of(demands, names, true) != (is_foreign ? 1 : 0)) return "a limit adds a finding";
    return std::nullopt;
}

}  // namespace tracelint
