// The notes that a case expects of rules that it is not about. scripts/bless keeps them up to date, so that a new note
// of one rule does not break the cases of all others. Whatever else a block gives is what its author wrote.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/generator/case_file.hpp"

namespace tracelint {

// Whether `found` differs from what the block expects, but only in notes of other rules.
bool differs_in_notes_beside(const CaseFile& file, const CaseBlock& block, const std::vector<Expectation>& found);

// Of each block of a case, what was found.
using FoundByBlock = std::vector<std::vector<Expectation>>;

// The text of the case with the notes of other rules that were found, and no others. Nothing if there is nothing to
// change, or if any block gives something else than its author wrote.
std::optional<std::string> with_notes_beside(const CaseFile& file, const std::string& text, const FoundByBlock& found);

}  // namespace tracelint
