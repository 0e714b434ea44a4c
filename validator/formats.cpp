// The lists of formats, rules, records and options.
#include <algorithm>

#include "grammars/formats.hpp"
#include "validator/group.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/readers/reader.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// The concatenation of `piece_of(grammar)` for each grammar of a format.
template <class PieceOf>
auto joined_over(const Format& format, PieceOf piece_of) {
    const auto piece_of_first = piece_of(*format.grammars[0]);
    std::vector<std::remove_const_t<typename decltype(piece_of_first)::element_type>> joined;
    for (const Grammar* grammar : format.grammars)
        for (const auto& element : piece_of(*grammar)) joined.push_back(element);
    return joined;
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* find_format(std::string_view id) {
    const auto found = std::ranges::find_if(formats(), [=](const Format* format) { return format->id == id; });
    return found == formats().end() ? nullptr : *found;
}

std::vector<const Record*> records_of(const Format& format) {
    return joined_over(format, [](const Grammar& grammar) { return grammar.records; });
}

std::vector<const Rule*> rules_of(const Grammar& grammar) {
    std::vector<const Rule*> rules;
    for (const RuleList* list : grammar.rules) rules.insert(rules.end(), list->begin(), list->end());
    return rules;
}

std::vector<const Rule*> rules_of(const Format& format) {
    std::vector<const Rule*> rules;
    for (const Grammar* grammar : format.grammars)
        for (const Rule* rule : rules_of(*grammar)) rules.push_back(rule);
    return rules;
}

std::vector<const Option*> all_options() {
    std::vector<const Option*> options;
    for (const Format* format : formats())
        for (const Option* option : joined_over(*format, [](const Grammar& grammar) { return grammar.options; }))
            options.push_back(option);
    return options;
}

std::vector<const Rule*> all_rules() {
    std::vector<const Rule*> rules(input_rules().begin(), input_rules().end());
    rules.insert(rules.end(), expectation_rules().begin(), expectation_rules().end());
    for (const Rule* rule : reader_rules()) rules.push_back(rule);
    for (const Format* format : formats())
        for (const Rule* rule : rules_of(*format)) rules.push_back(rule);
    for (const GroupGrammar* group : group_grammars())
        for (const Rule* rule : rules_of(*group->grammar)) rules.push_back(rule);
    return rules;
}

bool covers_any(std::string_view pattern) {
    return std::ranges::any_of(all_rules(), [=](const Rule* rule) { return RuleFilter::covers(pattern, *rule); });
}

const Rule* find_rule(std::string_view id) {
    const std::vector<const Rule*> rules = all_rules();
    const auto found = std::ranges::find_if(rules, [=](const Rule* rule) { return rule->id == id; });
    return found == rules.end() ? nullptr : *found;
}

}  // namespace tracelint
