// What a run of the tests is narrowed to. TRACELINT_ONLY names a format, by its id or that of one of its grammars; a
// grammar of files that belong together; a file of the corpus, as corpus/jitdump/rules/close-size.case; or a hostile
// file. scripts/quick and scripts/mutate set it.
#pragma once

#include <string>
#include <string_view>

#include "validator/tracelint.hpp"

namespace tracelint {

// The suites of the tests that can be narrowed: to a format, or to one file that their name matches.
inline constexpr char kEachFormat[] = "each format";
inline constexpr char kEachCase[] = "each corpus/*/rules/*.case";
inline constexpr char kEachReaderCase[] = "each corpus/*/readers/*.case";
inline constexpr char kEachPair[] = "each corpus/*/pairs/*.pair";
inline constexpr char kEachBase[] = "each corpus/*/base/*.hex";
inline constexpr char kEachReal[] = "each corpus/*/real/*";
inline constexpr char kEachCrash[] = "each corpus/*/crashes/*";
inline constexpr char kEachHostileFile[] = "each hostile file";

// What TRACELINT_ONLY names; empty: everything is tested.
std::string narrowed_to();

bool is_tested(const Format& format);
// Whether a file is selected: a corpus file by its path from the root, a hostile file by its name.
bool is_tested_file(std::string_view file);

// Whether one of these functions has met what the run is narrowed to.
bool has_narrowing_matched();

}  // namespace tracelint
