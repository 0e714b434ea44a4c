// Checks the bytes of a block of a case, wherever they come from.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/generator/case_file.hpp"

namespace tracelint {

inline constexpr uint64_t kSmallCase = 1 << 16;  // files up to this size also come byte by byte

// A way in which the bytes of a case reach the validator.
struct CaseWay {
    std::string_view name;
    std::unique_ptr<Source> (*open)(const SparseBytes& bytes);
};
std::span<const CaseWay> case_ways();

// `format`: what the bytes are checked as, for a format that is not in the list; null: as the case says.
std::vector<Expectation> findings(const CaseBlock& block, const CaseWay& way, const Format* format = nullptr);

std::string list_of(const std::vector<Expectation>& findings);

// "corpus/toy/rules/a.case:7: violation: two of them".
std::string headline(const CaseFile& file, const CaseBlock& block);

// The block gives exactly the findings that it expects.
void check_findings(const CaseFile& file, const CaseBlock& block, const Format* format = nullptr);

}  // namespace tracelint
