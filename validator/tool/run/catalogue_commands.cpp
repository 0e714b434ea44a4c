// `rules` and `explain`: the rules' own texts.
#include <fmt/core.h>

#include <algorithm>

#include "validator/readers/reader.hpp"
#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

constexpr size_t kTextWidth = 78;   // columns of a line of text
constexpr size_t kLabelWidth = 11;  // of those, columns of the label

std::vector<const Rule*> admitted_rules(const RuleFilter& filter) {
    std::vector<const Rule*> rules = all_rules();
    std::erase_if(rules, [&](const Rule* rule) { return !filter.selects(*rule) || filter.ignores(*rule); });
    return rules;
}

void write_table(const std::vector<const Rule*>& rules, Sink& sink) {
    size_t width = 0;
    for (const Rule* rule : rules) width = std::max(width, rule->id.size());
    for (const Rule* rule : rules)
        sink.write(fmt::format("{:<{}}  {:<7}  {}\n", rule->id, width, to_string(rule->severity), rule->statement));
}

// A labelled paragraph.
std::string paragraph(std::string_view label, std::string_view text) {
    return wrapped(fmt::format("{:<{}}", label, kLabelWidth), text, kLabelWidth, kTextWidth);
}

// What a finding of this severity does to the exit status.
std::string_view exit_status_of(Severity severity) {
    switch (severity) {
        case Severity::error: return "an error makes the exit status 1, unless --fail-on is never";
        case Severity::warning: return "a warning makes the exit status 1 if --fail-on is warning or note";
        case Severity::note: return "a note makes the exit status 1 only if --fail-on is note";
    }
    return {};
}

// What each reader does with files that break the rule, a line each; empty if nobody knows.
std::string readers_of(const Rule& rule) {
    const Format* format = format_of(rule);
    std::string text;
    for (const TraceReader* reader : all_readers()) {
        const bool is_own = std::ranges::find(reader->hazards, &rule, &Hazard::rule) != reader->hazards.end();
        const std::vector<const ReaderRow*> rows = rows_of(*reader, rule);
        if ((reader->format != format || rows.empty()) && !is_own) continue;
        std::string said;
        if (rows.empty()) said = to_string(worst_outcome_of(*reader, rule));
        for (const ReaderRow* row : rows) {
            if (!said.empty()) said += fmt::format("; {}: ", conditions_of(*row));
            said += to_string(row->outcome);
            if (row->measured.find(',') != std::string_view::npos) said += fmt::format(" ({})", row->measured);
        }
        if (reader->evidence != "measured")
            said += fmt::format(" ({})", reader->evidence);
        else if (reader->measured != nullptr)
            said += fmt::format(" (measured {})", reader->measured->date);
        text += wrapped(fmt::format("{:<{}}{:<24}", text.empty() ? "readers" : "", kLabelWidth, title_of(*reader)),
                        said, kLabelWidth + 24, kTextWidth);
    }
    return text;
}

std::string explanation(const Rule& rule) {
    const std::string_view severity = to_string(rule.severity);
    std::string text = fmt::format("{}\n\n{}", rule.id, paragraph("rule", rule.statement));
    if (const auto& other = rule.severity_override) {
        const std::string_view other_severity = to_string(other->severity);
        text += paragraph("severity", fmt::format("{}; {} when {}", severity, other_severity, other->when));
        text += paragraph("why", rule.why);
        if (!other->why.empty()) text += paragraph(other_severity, other->why);
    } else {
        text += paragraph("severity", severity);
        text += paragraph("why", rule.why);
    }
    std::string status(exit_status_of(rule.severity));
    if (rule.severity_override) status.append("; ").append(exit_status_of(rule.severity_override->severity));
    text += paragraph("exit", status);
    if (const Format* format = format_of(rule))
        text += paragraph("format", fmt::format("{} ({})", format->title, format->id));
    text += readers_of(rule);
    text += paragraph("spec", spec_reference_of(rule));
    text += paragraph("since", fmt::format("{}, {}", rule.since.text, rule.status));
    if (const std::string example = example_of(rule); !example.empty()) text += fmt::format("\nexample\n\n{}", example);
    return text;
}

}  // namespace

ExitStatus run_rules(const RulesLine& line) {
    const Output& output = line.output;
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    const std::vector<const Rule*> rules = admitted_rules(line.filter);
    if (sink->failure() == 0) output.kind->name == "json" ? write_rules_json(rules, *sink) : write_table(rules, *sink);
    return finish_output(*sink, output.file, kClean);
}

ExitStatus run_explain(const ExplainLine& line) {
    FileSink sink;
    if (line.rule != nullptr)
        sink.write(explanation(*line.rule));
    else
        write_table(admitted_rules(line.filter), sink);
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
