// Files of tests that are not cases: a base file of the corpus with edits, in the notation of cases.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/corpus.hpp"
#include "validator/generator/case_file.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

inline CaseBlock edited_base(std::string_view format, const std::string& edits) {
    const auto base = [](std::string_view folder, std::string_view file) {
        return read_file(kRoot / "corpus" / folder / "base" / file);
    };
    Errors errors;
    const CaseFile file = read_case("# spec: none\n\nnear miss: edited\n" + edits,
                                    "corpus/" + std::string(format) + "/rules/edited.case", base, errors);
    REQUIRE(file.blocks.size() == 1);  // a whole case would have more, which is an error here that does not matter
    return file.blocks[0];
}

inline Outcome outcome_of(const CaseBlock& block) {
    SparseSource source(block.bytes, true);
    return check(source, options_of(block));
}

// "records 14, buffers 2".
inline std::string statistics_of(const Outcome& outcome) {
    std::string text;
    for (const auto& [name, count] : outcome.context.statistics)
        text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(count);
    return text;
}

}  // namespace tracelint
