// `rules` and `explain`: the rules' own texts.
#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/catalogue/explanation.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

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

// The example of the rule's case; empty if it has none.
std::string example_text(const Rule& rule) {
    const std::string example = example_of(rule);
    return example.empty() ? example : "\nexample\n\n" + example;
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
    if (line.rules.size() == 1)
        sink.write(explanation_of(*line.rules.front()) + example_text(*line.rules.front()));
    else
        write_table(line.rules, sink);
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
