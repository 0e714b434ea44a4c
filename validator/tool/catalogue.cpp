// `rules` and `explain`: the rules' own texts.
#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/commands.hpp"
#include "validator/tool/example.hpp"
#include "validator/tool/rule_info.hpp"
#include "validator/tool/text.hpp"

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

// `text` in lines of kTextWidth columns: the first after `label`, the others indented as far.
std::string wrapped(std::string_view label, std::string_view text) {
    std::string result = fmt::format("{:<{}}", label, kLabelWidth);
    const std::string indent(kLabelWidth, ' ');
    size_t column = indent.size();
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        if (column + end > kTextWidth && column > indent.size()) {
            result.back() = '\n';
            result += indent;
            column = indent.size();
        }
        result += text.substr(0, end);
        result += ' ';
        column += end + 1;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    result.back() = '\n';
    return result;
}

std::string explanation(const Rule& rule) {
    const std::string_view severity = to_string(rule.severity);
    std::string text = fmt::format("{}\n\n{}", rule.id, wrapped("rule", rule.statement));
    if (const auto& other = rule.severity_override) {
        const std::string_view other_severity = to_string(other->severity);
        text += wrapped("severity", fmt::format("{}; {} when {}", severity, other_severity, other->when));
        text += wrapped("why", rule.why);
        if (!other->why.empty()) text += wrapped(other_severity, other->why);
    } else {
        text += wrapped("severity", severity);
        text += wrapped("why", rule.why);
    }
    if (const Format* format = format_of(rule))
        text += wrapped("format", fmt::format("{} ({})", format->title, format->id));
    text += wrapped("spec", spec_reference_of(rule));
    text += wrapped("since", fmt::format("{}, {}", rule.since.text, rule.status));
    if (const std::string example = example_of(rule); !example.empty()) text += fmt::format("\nexample\n\n{}", example);
    return text;
}

}  // namespace

ExitStatus run_rules(const CommandLine& line) {
    const Output& output = line.outputs.front();
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    const std::vector<const Rule*> rules = admitted_rules(line.filter);
    if (sink->failure() == 0) output.kind->name == "json" ? write_rules_json(rules, *sink) : write_table(rules, *sink);
    return finish_output(*sink, output.file, kClean);
}

ExitStatus run_explain(const CommandLine& line) {
    FileSink sink;
    sink.write(explanation(*line.rule));
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
