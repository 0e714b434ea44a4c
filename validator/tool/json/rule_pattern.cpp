// The words by which users name rules.
#include "validator/tool/json/rule_pattern.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "validator/tool/json/text.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

std::string guess_rule(std::string_view word) {
    std::vector<std::string_view> ids;
    for (const Rule* rule : all_rules()) ids.push_back(rule->id);
    for (const std::string_view id : ids)
        if (id.substr(id.find('/') + 1) == word) return fmt::format("; did you mean '{}'?", id);
    return did_you_mean(word, ids);
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
