// Rules' formats, cases and spec references.
#include "validator/tool/json/rule_info.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "validator/group.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

std::string_view grammar_of(const Rule& rule) { return rule.id.substr(0, rule.id.find('/')); }

bool is_grammar(std::string_view word) {
    const auto is_format = [&](const Format* format) {
        return std::ranges::any_of(format->grammars, [&](const Grammar* grammar) { return grammar->id == word; });
    };
    return std::ranges::any_of(formats(), is_format) ||
           std::ranges::any_of(group_grammars(), [&](const GroupGrammar* one) { return one->grammar->id == word; });
}

}  // namespace

const Format* format_of(const Rule& rule) {
    for (const Format* format : formats()) {
        const std::vector<const Rule*> rules = rules_of(*format);
        if (std::ranges::find(rules, &rule) != rules.end()) return format;
    }
    return nullptr;
}

std::string_view slug_of(const Rule& rule) { return rule.id.substr(rule.id.find('/') + 1); }

bool is_about_groups(const Rule& rule) {
    return std::ranges::any_of(group_grammars(),
                               [&](const GroupGrammar* one) { return one->grammar->id == grammar_of(rule); });
}

std::string case_path_of(const Rule& rule) {
    if (is_about_groups(rule)) return fmt::format("corpus/{}/pairs/{}.pair", grammar_of(rule), slug_of(rule));
    return fmt::format("corpus/{}/rules/{}.case", grammar_of(rule), slug_of(rule));
}

std::vector<SpecSection> spec_sections_of(const Rule& rule) {
    constexpr std::string_view kSeparator = "; ";
    std::vector<SpecSection> sections;
    if (rule.of_input) return sections;
    for (size_t start = 0; start < rule.spec.size();) {
        const size_t end = std::min(rule.spec.find(kSeparator, start), rule.spec.size());
        SpecSection section{grammar_of(rule), rule.spec.substr(start, end - start)};
        const size_t blank = section.heading.find(' ');
        if (blank != std::string_view::npos && is_grammar(section.heading.substr(0, blank)))
            section = {section.heading.substr(0, blank), section.heading.substr(blank + 1)};
        sections.push_back(section);
        start = end + kSeparator.size();
    }
    return sections;
}

std::string folder_of_grammar(std::string_view id) {
    for (const Format* format : formats())
        for (const Grammar* extension : format->grammars.subspan(1))
            if (extension->id == id) return fmt::format("{}/{}", format->id, id);
    return std::string(id);
}

std::string spec_reference_of(const Rule& rule) {
    std::string text;
    std::string_view grammar;
    for (const SpecSection& section : spec_sections_of(rule)) {
        if (!text.empty()) text += "; ";
        if (section.grammar != grammar)
            text += fmt::format("grammars/{}/spec.md, ", folder_of_grammar(section.grammar));
        text += section.heading;
        grammar = section.grammar;
    }
    return text.empty() ? std::string(rule.spec) : text;
}

// ASCII letters become lower case, blanks become dashes, and other ASCII punctuation than - and _ is dropped.
std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char c : heading) {
        const bool is_upper = c >= 'A' && c <= 'Z', is_ascii = static_cast<uint8_t>(c) < 0x80;
        if (c == ' ')
            anchor += '-';
        else if (is_upper)
            anchor += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || !is_ascii)
            anchor += c;
    }
    return anchor;
}

std::vector<const Rule*> rules_meant(std::string_view word) {
    if (const Rule* rule = find_rule(word)) return {rule};
    std::vector<const Rule*> rules = all_rules();
    const bool is_pattern = covers_any(word);
    std::erase_if(rules, [&](const Rule* rule) {
        return is_pattern ? !RuleFilter::covers(word, *rule) : rule->id.find(word) == std::string_view::npos;
    });
    return word.empty() ? std::vector<const Rule*>() : rules;
}

std::string guess_rule(std::string_view word) {
    std::vector<std::string_view> ids;
    for (const Rule* rule : all_rules()) ids.push_back(rule->id);
    for (const std::string_view id : ids)
        if (id.substr(id.find('/') + 1) == word) return fmt::format("; did you mean '{}'?", id);
    // The right format with a misspelt name is more likely than another format.
    const std::string_view prefix = word.substr(0, word.find('/') + 1);
    std::vector<std::string_view> own = ids;
    std::erase_if(own, [&](std::string_view id) { return !id.starts_with(prefix); });
    const std::string guess = did_you_mean(word, own);
    return guess.empty() ? did_you_mean(word, ids) : guess;
}

std::string guess_pattern(std::string_view word) {
    // Other programs write prefixes with a star.
    const std::string_view prefix = word.substr(0, word.find('*'));
    if (prefix.size() < word.size() && covers_any(prefix)) return fmt::format("; did you mean '{}'?", prefix);
    if (!word.ends_with('/') && !word.ends_with('-')) return guess_rule(word);
    std::set<std::string_view> prefixes;
    for (const Rule* rule : all_rules())
        for (size_t i = 0; i < rule->id.size(); ++i)
            if (rule->id[i] == word.back()) prefixes.insert(rule->id.substr(0, i + 1));
    return did_you_mean(word, std::vector<std::string_view>(prefixes.begin(), prefixes.end()));
}

std::string pattern_fault(std::string_view pattern) {
    if (covers_any(pattern)) return {};
    return fmt::format(
        "no rule matches '{}'; expected a rule (tracelint rules lists them), a format or a prefix that ends in a slash "
        "or dash{}",
        shortened(pattern), guess_pattern(pattern));
}

}  // namespace tracelint
