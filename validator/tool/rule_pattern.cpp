// The words by which users name rules.
#include "validator/tool/rule_pattern.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/text.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

std::string guess_rule(std::string_view word) {
    std::vector<std::string_view> ids;
    for (const Rule* rule : all_rules()) ids.push_back(rule->id);
    for (const std::string_view id : ids)
        if (id.substr(id.find('/') + 1) == word) return fmt::format("; did you mean '{}'?", id);
    return did_you_mean(word, ids);
}

std::string pattern_fault(std::string_view pattern) {
    if (covers_any(pattern)) return {};
    return fmt::format(
        "no rule matches '{}'; expected a rule (tracelint rules lists them) or a prefix that ends in a slash or dash{}",
        shortened(pattern), guess_rule(pattern));
}

}  // namespace tracelint
