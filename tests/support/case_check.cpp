#include "tests/support/case_check.hpp"

#include <doctest/doctest.h>

#include "tests/support/case_notes.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/zstd_skip.hpp"

namespace tracelint {
namespace {

constexpr CaseWay kCaseWays[] = {
    {"from memory",
     [](const SparseBytes& b) -> std::unique_ptr<Source> { return std::make_unique<SparseSource>(b, true); }},
    {"in pieces that cannot be sought",
     [](const SparseBytes& b) -> std::unique_ptr<Source> {
         return std::make_unique<SparseSource>(b, false, b.size() <= kSmallCase ? 1 : kWindow);
     }},
};

}  // namespace

std::span<const CaseWay> case_ways() { return kCaseWays; }

std::vector<Expectation> findings(const CaseBlock& block, const CaseWay& way, const Format* format) {
    const std::unique_ptr<Source> source = way.open(block.bytes);
    CheckOptions options = options_of(block);
    if (format != nullptr) options.format = format;
    return expectations_of(check(*source, options));
}

std::string list_of(const std::vector<Expectation>& findings) {
    std::string text;
    for (const Expectation& finding : findings) text += line_of(finding) + '\n';
    return text.empty() ? "(nothing)\n" : text;
}

std::string headline(const CaseFile& file, const CaseBlock& block) {
    return file.path + ":" + std::to_string(block.line) + ": " + (block.is_violation ? "violation: " : "near miss: ") +
           block.title;
}

void check_findings(const CaseFile& file, const CaseBlock& block, const Format* format) {
    if (skips_zstd(block.bytes.head, headline(file, block))) return;
    for (const CaseWay& way : kCaseWays) {
        const std::vector<Expectation> found = findings(block, way, format);
        if (all_match(block.expected, found)) continue;
        const std::string repeat = how_to_repeat(file);
        const bool is_for_bless = !repeat.empty() && differs_in_notes_beside(file, block, found);
        const std::string advice = is_for_bless ? "only notes of other rules: scripts/bless writes them\n" : "";
        FAIL_CHECK(headline(file, block) << "\n--- expected\n"
                                         << list_of(block.expected) << "--- found, " << std::string(way.name) << "\n"
                                         << list_of(found) << advice << repeat);
        return;
    }
}

}  // namespace tracelint
