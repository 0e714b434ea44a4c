// Every case of the corpus: its bytes give exactly the findings that its author expects, wherever the
// bytes come from; and every rule has its case. `scripts/bless` writes the notes of rules that a case is not about.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tests/support/case_check.hpp"
#include "tests/support/case_notes.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/zstd_skip.hpp"

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

FoundByBlock found_in(const CaseFile& file) {
    FoundByBlock found;
    for (const CaseBlock& block : file.blocks) {
        const bool is_skipped = skips_zstd(block.bytes.head, headline(file, block));
        found.push_back(is_skipped ? block.expected : findings(block, case_ways()[0]));
    }
    return found;
}

// In a run of scripts/bless, writes the notes of other rules; all else must be as the case has it.
void check_or_bless(const CaseFile& file) {
    if (is_blessing()) {
        const std::filesystem::path path = kRoot / file.path;
        if (const auto wanted = with_notes_beside(file, *read_file(path), found_in(file)))
            return write_file(path, *wanted);
    }
    for (const CaseBlock& block : file.blocks) check_findings(file, block);
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
        for (const CaseFile& file : cases_of(*format)) check_or_bless(file);
}

TEST_CASE("bless writes the notes of other rules into a case, and nothing that its author has to know of") {
    const std::string text =
        "# A case.\n"
        "# spec: 1\n"
        "violation: two findings\n"
        "base   empty\n"
        "expect error jitdump/bad-magic 0x00+4 header.magic\n"
        "says   \"no\"\n"
        "expect note jitdump/close-size 0x04+2 -\n"
        "\n"
        "near miss: nothing\n"
        "base   empty\n";
    Errors errors;
    const CaseFile file = read_case(text, "corpus/jitdump/rules/bad-magic.case", {}, errors);
    REQUIRE(errors.empty());
    const Expectation own = {Severity::error, "jitdump/bad-magic", 0, 4, "header.magic"};
    const Expectation note = {Severity::note, "jitdump/close-size", 4, 2, ""};
    const Expectation new_note = {Severity::note, "jitdump/no-records", 8, 0, "header"};
    const auto with = [&](std::vector<Expectation> first, std::vector<Expectation> second) {
        sort(first);
        return with_notes_beside(file, text, {std::move(first), std::move(second)});
    };
    CHECK_FALSE(with({own, note}, {}).has_value());

    std::string wanted = text;
    wanted.insert(wanted.find("\nnear miss"), "expect note jitdump/no-records 0x08+0 header\n");
    CHECK(with({own, note, new_note}, {}) == wanted);
    CHECK(with({own, note}, {new_note}) == text + "expect note jitdump/no-records 0x08+0 header\n");
    wanted = text;
    const std::string line = "expect note jitdump/close-size 0x04+2 -\n";
    wanted.erase(wanted.find(line), line.size());
    CHECK(with({own}, {}) == wanted);

    Expectation warning = new_note, moved = own, milder = own, own_note = new_note;
    warning.severity = Severity::warning;
    moved.length = 5;
    milder.severity = Severity::note;
    own_note.rule = own.rule;
    CHECK_FALSE(with({own, note, warning}, {}).has_value());
    CHECK_FALSE(with({own, note, new_note}, {warning}).has_value());
    CHECK_FALSE(with({moved, note, new_note}, {}).has_value());
    CHECK_FALSE(with({milder, note, new_note}, {}).has_value());
    CHECK_FALSE(with({own, note, new_note}, {own_note}).has_value());
    CHECK_FALSE(with({note, new_note}, {}).has_value());
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
            std::vector<Expectation> found = findings(block, case_ways()[0]);
            std::erase_if(found, [](const Expectation& f) { return f.severity == Severity::note; });
            CHECK_MESSAGE(found.empty(), shown(path) << "\n" << list_of(found));
        }
    }
}

}  // namespace tracelint
