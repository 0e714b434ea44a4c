// An example of a violation, taken from the rule's case, for `tracelint explain`, and the corpus that the build embeds
// into the program (scripts/embed-corpus.cmake).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validator/tables/rule.hpp"

namespace tracelint {

// The first violation of the rule's case: what is wrong, the bytes with the place marked, how the file is made, and its
// findings. Ends in a newline; empty if the rule has no case.
std::string example_of(const Rule& rule);

struct CorpusText {
    std::string_view path;  // "corpus/jitdump/rules/bad-magic.case"
    std::string_view text;
};

std::span<const CorpusText> corpus_texts();

}  // namespace tracelint
