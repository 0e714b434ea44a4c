// The texts of the specifications, which the build embeds into the program (scripts/embed-corpus.cmake).
#pragma once

#include <span>
#include <string_view>

#include "validator/tool/catalogue/example.hpp"
#include "validator/tool/json/rule_info.hpp"

namespace tracelint {

// Every spec.md: "grammars/jitdump/spec.md".
std::span<const CorpusText> specification_texts();

// What follows the heading of a section, sections within it included, as Markdown without blank lines around it. Empty
// if there is no such section.
std::string_view text_of_section(const SpecSection& section);

}  // namespace tracelint
