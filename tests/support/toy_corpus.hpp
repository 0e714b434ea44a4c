// The toy format and its corpus, for tests.
#pragma once

#include "tests/support/corpus.hpp"
#include "tests/toy/formats.hpp"
#include "tests/toy/generators.hpp"

namespace tracelint {

// tests/toy/corpus/toy holds what corpus/<grammar> holds for a format of the tool.
inline CorpusFolder toy_corpus() { return CorpusFolder(kRoot / "tests" / "toy"); }

inline std::vector<CaseFile> toy_cases() {
    Errors errors;
    std::vector<CaseFile> cases = toy_corpus().cases(kToy, errors);
    for (const std::string& error : errors) FAIL_CHECK(error);
    return cases;
}

// The base files by name, and every block of every case.
inline std::vector<std::pair<std::string, std::string>> toy_files() {
    std::vector<std::pair<std::string, std::string>> files;
    Errors errors;
    for (const auto& path : toy_corpus().files(kToy, "base", ".hex"))
        files.emplace_back(path.stem().string(), read_hex(read_file(path).value_or(""), path.string(), errors).bytes);
    for (const CaseFile& file : toy_cases())
        for (const CaseBlock& block : file.blocks)
            files.emplace_back(file.rule + ": " + block.title, block.bytes.part(0, block.bytes.size()));
    CHECK(errors.empty());
    return files;
}

}  // namespace tracelint
