#include "fuzz/tool/text_oracles.hpp"

#include <algorithm>
#include <filesystem>

#include "validator/input/input_rules.hpp"
#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/file_list.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/expectations.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/run/baseline_run.hpp"

namespace tracelint {
namespace {

constexpr size_t kLongestMistake = 1000;  // bytes; the text may be much longer

// Names out of the bytes of a text, and the text itself.
std::vector<std::string_view> names_in_text(std::string_view text) {
    constexpr size_t kMostNames = 50;
    std::vector<std::string_view> names{text};
    for (size_t at = 0; at < text.size() && names.size() < kMostNames;) {
        const size_t end = std::min(text.find_first_of("\"* ", at), text.size());
        names.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return names;
}

Complaint names_are_found(const FileDemands& demands, const std::vector<std::string_view>& names) {
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
    if (together.steps() > bytes * (3 * kMostNamePatterns / 64)) return "finding names takes too many steps";
    return std::nullopt;
}

// Findings of a jitdump with 3 records, one of them a LOAD, and these names.
uint64_t findings_of(const FileDemands& demands, const std::vector<std::string_view>& names, bool limit_hit) {
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

Complaint demands_are_judged(const FileDemands& demands, std::string_view text) {
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

Complaint configuration_mistake(const std::string& message) {
    if (printable(message) != message) return "the message has unprintable characters: " + message;
    if (message.size() > kLongestMistake) return "the message is long: " + message;
    return message.starts_with("c.json:") ? Complaint{} : "the message names no place: " + message;
}

// The names, found in the plainest way. The text has no fault.
std::vector<std::string> plainly_listed(std::string_view text, char end) {
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == end)
            names.emplace_back();
        else
            names.back() += c;
    }
    if (end == '\n' && names[0].starts_with("\xef\xbb\xbf")) names[0].erase(0, 3);
    for (std::string& name : names)
        if (end == '\n' && name.ends_with('\r')) name.pop_back();
    std::erase(names, "");
    return names;
}

Complaint excludes_contents_of_folders(const std::vector<std::string>& names) {
    constexpr size_t kMostPatterns = 4, kMostPaths = 16;
    std::vector<std::string> patterns;
    for (const std::string& name : names)
        if (patterns.size() < kMostPatterns && PathPattern::fault_of(name).empty()) patterns.push_back(name);
    const Exclusions exclusions("/base", patterns);
    for (const std::string& name : std::span(names).first(std::min(names.size(), kMostPaths))) {
        const std::string path = "/base/x/" + name;
        // Outside of the base a pattern without a slash is compared only with the last name.
        if (!std::filesystem::path(path).lexically_normal().string().starts_with("/base/")) continue;
        if (exclusions.covers(path) && !path.ends_with("..") && !exclusions.covers(path + "/y"))
            return "a file in an excluded folder is not excluded: " + tracelint::quoted(path);
    }
    return std::nullopt;
}

// A baseline that takes over what was found is a baseline.
Complaint updated_is_read(const Baseline& updated) {
    if (updated.entries.size() > kMostEntries) return {};
    try {
        parse_baseline_text("b.json", text_of(updated));
        return {};
    } catch (const UsageError& error) {
        return "the updated baseline is not a baseline: " + error.message;
    }
}

}  // namespace

Complaint configuration(std::string_view text) {
    try {
        const auto configuration = std::make_shared<Configuration>(parse_configuration("c.json", std::string(text)));
        const Parsed parsed = parse_command_line({"a.dump"}, configuration);
        if (!parsed.error.empty()) return configuration_mistake(parsed.error);
        for (const std::string path : {"a.dump", "-", "/a/b/c.prof", "../x"}) {
            const FileChoices choices = choices_for(std::get<CheckLine>(parsed.command_line).choices, path);
            if (const Complaint complaint = demands_are_judged(choices.demands, text)) return complaint;
        }
        const Parsed shown = parse_command_line({"--show-config"}, configuration);
        if (!shown.error.empty() || shown.answer.empty()) return "the configuration is not shown: " + shown.error;
        // What is shown is a configuration, and the same one.
        const auto again = std::make_shared<Configuration>(parse_configuration("c.json", shown.answer));
        const Parsed shown_again = parse_command_line({"--show-config"}, again);
        return shown_again.answer == shown.answer ? Complaint{} : "what is shown differs: " + shown_again.answer;
    } catch (const UsageError& error) {
        return configuration_mistake(error.message);
    }
}

Complaint file_list(std::string_view text, uint64_t seed) {
    Random random(seed);
    const char end = one_in(random, 2) ? '\n' : '\0';
    FileList whole(end), divided(end);
    if (whole.take(text)) whole.finish();
    for (std::string_view rest = text; !rest.empty();) {
        const size_t piece = between(random, 1, 1 + rest.size() / 4);
        if (!divided.take(rest.substr(0, piece))) break;
        rest.remove_prefix(piece);
    }
    divided.finish();
    if (whole.names() != divided.names() || whole.fault() != divided.fault()) return "how the list is divided matters";
    if (printable(whole.fault()) != whole.fault()) return "the fault has unprintable characters: " + whole.fault();
    if (whole.fault().size() > 1000) return "the fault is long: " + whole.fault();
    if (whole.fault().empty() && whole.names() != plainly_listed(text, end)) return "the names are wrong";
    if (!whole.fault().empty() && text.find('\0') == text.npos && text.size() <= kLongestListedName)
        return "a fault in a short list of names: " + whole.fault();
    return excludes_contents_of_folders(whole.names());
}

Complaint baseline_holds(std::string_view text) {
    try {
        Baseline baseline = parse_baseline_text("b.json", std::string(text));
        const std::string again = text_of(baseline);
        if (text_of(parse_baseline_text("b.json", again)) != again)
            return "the text of a baseline is another: " + again;
        baseline.folder = "/a";
        BaselineRun run(baseline, std::chrono::sys_days(std::chrono::days(20'000)), {.collects = Severity::note});
        Outcome outcome{CheckOptions()};
        for (int i = 0; i < 3; ++i) outcome.context.report.add(kUnknownFormat, Place{});
        uint64_t known = 0;
        for (const std::string path : {"/a/b.dump", "/a/c/d.prof", "-", "/x/y"})
            known += run.take(path, outcome).count(outcome.report());
        if (known != run.summary(true).known) return "the sum of known findings differs";
        return updated_is_read(run.updated(true, "a reason"));
    } catch (const UsageError& error) {
        if (printable(error.message) != error.message)
            return "the message has unprintable characters: " + error.message;
        if (error.message.size() > kLongestMistake) return "the message is long: " + error.message;
        return error.message.starts_with("b.json:") ? Complaint{} : "the message names no place: " + error.message;
    }
}

}  // namespace tracelint
