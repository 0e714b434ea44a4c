// What can be derived from a rule's id and spec reference: its format, its case, the sections that it cites. And the
// words by which users name rules: ids and prefixes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validator/tracelint.hpp"

namespace tracelint {

// The format that a rule belongs to; null for the engine's own rules.
const Format* format_of(const Rule& rule);

// "bad-magic" of "jitdump/bad-magic".
std::string_view slug_of(const Rule& rule);

// Whether the rule is about files that belong together, so that its case is a pair of files.
bool is_about_groups(const Rule& rule);

// "corpus/jitdump/rules/bad-magic.case", "corpus/siblings/pairs/stale-dump.pair".
std::string case_path_of(const Rule& rule);

// The folder of a grammar below grammars/: its id, or "jitdump/samply" for one that extends another.
std::string folder_of_grammar(std::string_view id);

// A section of a grammar's spec.md.
struct SpecSection {
    std::string_view grammar;
    std::string_view heading;  // "3.1 Header"
};

// The sections that a rule cites; none for the engine's own rules, which cite other documents.
std::vector<SpecSection> spec_sections_of(const Rule& rule);

// "grammars/jitdump/spec.md, 3.1 Header; 4.1 File"; the document itself for the engine's own rules.
std::string spec_reference_of(const Rule& rule);

// The anchor that GitHub gives a heading: "3.3 JIT_CODE_LOAD (0)" becomes "33-jit_code_load-0".
std::string anchor_of(std::string_view heading);

// The rules that the word means: the one of this id, those that a prefix covers, or else those with it in their ids.
std::vector<const Rule*> rules_meant(std::string_view word);

// "; did you mean 'jitdump/bad-magic'?" for a word that is no rule, also for a slug without its format; empty if
// nothing is near.
std::string guess_rule(std::string_view word);

// A suggestion for a word that may also be a prefix: "; did you mean 'jitdump/'?" for "jitdmp/" and "jitdump/*".
std::string guess_pattern(std::string_view word);

// What is wrong with a pattern (see RuleFilter) that covers no rule; empty if it covers one.
std::string pattern_fault(std::string_view pattern);

}  // namespace tracelint
