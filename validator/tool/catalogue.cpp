// `rules` and `explain`: what the rules say of themselves.
#include <nlohmann/json.hpp>

#include <algorithm>

#include "validator/tool/commands.hpp"
#include "validator/tool/example.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kTextWidth = 78;

// The format that a rule belongs to; null for rules about inputs and containers.
const Format* format_of(const Rule& rule) {
    for (const Format* format : formats())
        for (const Rule* own : rules_of(*format))
            if (own == &rule) return format;
    return nullptr;
}

std::vector<const Rule*> admitted_rules(const RuleFilter& filter) {
    std::vector<const Rule*> rules = all_rules();
    std::erase_if(rules, [&](const Rule* rule) { return !filter.selects(*rule) || filter.ignores(*rule); });
    return rules;
}

void write_json(const std::vector<const Rule*>& rules, Sink& sink) {
    sink.write("{\"schema_version\":1,\"rules\":[");
    const char* before = "\n";
    for (const Rule* rule : rules) {
        const Format* format = format_of(*rule);
        Json object = {{"id", rule->id},
                       {"format", format == nullptr ? Json(nullptr) : Json(format->id)},
                       {"severity", to_string(rule->severity)},
                       {"statement", rule->statement},
                       {"why", rule->why},
                       {"spec", rule->spec},
                       {"since", rule->since.text},
                       {"status", rule->status}};
        if (rule->severity_override)
            object["milder"] = {{"severity", to_string(rule->severity_override->severity)},
                                {"when", rule->severity_override->when}};
        sink.write(before + object.dump());
        before = ",\n";
    }
    sink.write("\n]}\n");
}

void write_table(const std::vector<const Rule*>& rules, Sink& sink) {
    size_t width = 0;
    for (const Rule* rule : rules) width = std::max(width, rule->id.size());
    for (const Rule* rule : rules) {
        std::string line(rule->id);
        line.resize(width + 2, ' ');
        line += to_string(rule->severity);
        line.resize(width + 11, ' ');
        line += rule->statement;
        sink.write(line + '\n');
    }
}

// `text` in lines of kTextWidth, the first behind `label`, the others indented as far.
std::string wrapped(std::string_view label, std::string_view text) {
    std::string result(label);
    result.resize(11, ' ');
    const std::string indent(result.size(), ' ');
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
    const Format* format = format_of(rule);
    std::string text(rule.id);
    text += "\n\n";
    text += wrapped("rule", rule.statement);
    std::string severity(to_string(rule.severity));
    if (rule.severity_override)
        severity += "; " + std::string(to_string(rule.severity_override->severity)) + " when " +
                    std::string(rule.severity_override->when);
    text += wrapped("severity", severity);
    text += wrapped("why", rule.why);
    if (rule.severity_override && !rule.severity_override->why.empty())
        text += wrapped("milder", rule.severity_override->why);
    if (format != nullptr) text += wrapped("format", std::string(format->title) + " (" + std::string(format->id) + ')');
    text += wrapped("spec", rule.spec);
    text += wrapped("since", std::string(rule.since.text) + ", " + std::string(rule.status));
    const std::string example = example_of(rule);
    if (!example.empty()) text += "\nexample\n\n" + example + (example.ends_with('\n') ? "" : "\n");
    return text;
}

}  // namespace

ExitStatus run_rules(const CommandLine& line) {
    const Output& output = line.outputs.front();
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    const std::vector<const Rule*> rules = admitted_rules(line.filter);
    if (sink->failure() == 0) output.kind->name == "json" ? write_json(rules, *sink) : write_table(rules, *sink);
    return finish_output(*sink, output.file, kClean);
}

ExitStatus run_explain(const CommandLine& line) {
    FileSink sink;
    sink.write(explanation(*line.rule));
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
