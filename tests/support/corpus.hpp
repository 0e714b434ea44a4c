// The corpus, for tests.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/corpus_folder.hpp"
#include "tests/support/narrowing.hpp"
#include "tests/support/paths.hpp"

namespace tracelint {

inline const std::filesystem::path kRoot = paths::root();

// Whether reference files are rewritten instead of compared.
bool is_blessing();

void write_file(const std::filesystem::path& path, std::string_view text);

// The formats that tests loop over: all, or what the run is narrowed to.
std::vector<const Format*> tested_formats();

// All of the corpus, or what the run is narrowed to.
CorpusFolder tested_corpus();

// The files of corpus/<grammar>/<kind> for each grammar of the format, by name, all or those of one extension.
std::vector<std::filesystem::path> corpus_files(const Format& format, std::string_view kind,
                                                std::string_view extension = {});

// The bytes of corpus/FOLDER/base/FILE.
std::string base_file(const std::string& folder, const std::string& file);

// How a file is named in messages.
std::string shown(const std::filesystem::path& path);

std::vector<CaseFile> corpus_cases(const Format& format, Errors& errors);

// How to run only the case or pair of a rule. Nothing for the exhibits of the museum, which are one test, and for the
// toy.
std::string how_to_repeat(const CaseFile& file);
std::string how_to_repeat(const PairFile& file);

// The first line in which two texts differ.
std::string difference(const std::string& a, const std::string& b);

}  // namespace tracelint
