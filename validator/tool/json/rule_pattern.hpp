// The words by which users name rules: ids and prefixes.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

// "; did you mean 'jitdump/bad-magic'?" for a word that is no rule, also for a slug without its format; empty if
// nothing is near.
std::string guess_rule(std::string_view word);

// The same for a word that may be a prefix as well: "; did you mean 'jitdump/'?" for "jitdmp/" and "jitdump/*".
std::string guess_pattern(std::string_view word);

// What is wrong with a pattern (see RuleFilter) that covers no rule; empty if it covers one.
std::string pattern_fault(std::string_view pattern);

}  // namespace tracelint
