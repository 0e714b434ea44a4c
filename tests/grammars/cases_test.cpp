// Every case of the corpus: its bytes give exactly the findings that its author expects, wherever the
// bytes come from; and every rule has its case.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/support/case_check.hpp"

namespace tracelint {
namespace {

bool expects(const CaseBlock& block, std::string_view rule) {
    return std::any_of(block.expected.begin(), block.expected.end(),
                       [&](const Expectation& e) { return e.rule == rule; });
}

std::vector<CaseFile> cases_of(const Format& format) {
    Errors reported_by_the_first_test;
    return corpus_cases(format, reported_by_the_first_test);
}

bool is_kebab(std::string_view slug) {
    const bool words = slug.find("--") == slug.npos && !slug.starts_with('-') && !slug.ends_with('-');
    return words && !slug.empty() && slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == slug.npos;
}

}  // namespace

TEST_CASE("every case can be read" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        Errors errors;
        const std::vector<CaseFile> cases = corpus_cases(*format, errors);
        for (const std::string& error : errors) FAIL_CHECK(error);
        for (const CaseFile& file : cases)
            for (const CaseBlock& block : file.blocks)
                CHECK_MESSAGE((block.format.empty() || find_format(block.format) != nullptr),
                              headline(file, block) << ": there is no format '" << block.format << "'");
    }
}

TEST_CASE("every case gives exactly the findings that it expects" * doctest::test_suite(kEachCase)) {
    for (const Format* format : tested_formats())
        for (const CaseFile& file : cases_of(*format))
            for (const CaseBlock& block : file.blocks) check_findings(file, block);
}

TEST_CASE("a violation names the case's rule, a near miss does not" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const CaseFile& file : cases_of(*format))
            for (const CaseBlock& block : file.blocks)
                CHECK_MESSAGE(expects(block, file.rule) == block.is_violation, headline(file, block));
}

TEST_CASE("every rule has a case with a violation and a near miss, and every case has a rule" *
          doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        std::map<std::string, std::set<bool>> kinds;
        for (const CaseFile& file : cases_of(*format)) {
            for (const CaseBlock& block : file.blocks) kinds[file.rule].insert(block.is_violation);
            CHECK_MESSAGE(find_rule(file.rule) != nullptr, file.path << ": there is no rule of this name");
        }
        for (const Rule* rule : rules_of(*format)) {
            CHECK_MESSAGE(kinds[std::string(rule->id)].contains(true), rule->id << ": no case with a violation");
            CHECK_MESSAGE(kinds[std::string(rule->id)].contains(false), rule->id << ": no case with a near miss");
        }
    }
}

TEST_CASE("rule ids are unique, and made of the grammar and a slug" * doctest::test_suite(kEachFormat)) {
    std::set<std::string_view> ids;
    for (const Rule* rule : all_rules())
        CHECK_MESSAGE(ids.insert(rule->id).second, rule->id << ": two rules have this id");
    for (const Format* format : tested_formats()) {
        for (const Grammar* grammar : format->grammars)
            for (const Rule* rule : rules_of(*grammar)) {
                const size_t slash = rule->id.find('/');
                CHECK_MESSAGE(rule->id.substr(0, slash) == grammar->id, rule->id);
                CHECK_MESSAGE(is_kebab(rule->id.substr(slash + 1)), rule->id);
            }
    }
}

TEST_CASE("a base file without edits has no error and no warning" * doctest::test_suite(kEachBase)) {
    for (const Format* format : tested_formats()) {
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            CaseBlock block;
            block.bytes.head = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            for (const std::string& error : errors) FAIL_CHECK(error);
            std::vector<Expectation> found = findings(block, kCaseWays[0]);
            std::erase_if(found, [](const Expectation& f) { return f.severity == Severity::note; });
            CHECK_MESSAGE(found.empty(), shown(path) << "\n" << list_of(found));
        }
    }
}

}  // namespace tracelint
