// The corpus's cases, base files and recorded pairs, which the build embeds into the program
// (scripts/embed-corpus.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tracelint {

struct CorpusText {
    std::string_view path;  // "corpus/jitdump/rules/bad-magic.case"
    std::string_view text;
};

std::span<const CorpusText> corpus_texts();

}  // namespace tracelint
