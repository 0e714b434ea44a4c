// Pairs of real files, and what is found when one thing in them is broken (corpus/siblings/README.md); the exhibits of
// the museum among them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "fuzz/judged_group.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/zstd_skip.hpp"
#include "validator/generator/pair_file.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

const fs::path kReal = kRoot / "corpus" / "siblings" / "real";

// Recorded with options that break something, so that cases need no edit.
const std::set<std::string> kBroken = {"c-writer-compressed", "c-writer-dwarf", "c-writer-untimed"};

std::vector<PairFile> all_cases() {
    Errors errors;
    std::vector<PairFile> cases = tested_corpus().pairs(errors);
    for (const std::string& error : errors) FAIL_CHECK(error);
    return cases;
}

std::vector<PairFile> all_exhibits() {
    Errors errors;
    std::vector<PairFile> exhibits = tested_corpus().pair_exhibits(errors);
    for (const std::string& error : errors) FAIL_CHECK(error);
    return exhibits;
}

std::vector<PairFile> all_pairs() {
    std::vector<PairFile> pairs = all_cases();
    std::ranges::move(all_exhibits(), std::back_inserter(pairs));
    return pairs;
}

bool needs_zstd(const std::vector<PairMember>& files) {
    return std::ranges::any_of(files, [](const PairMember& one) { return skips_zstd(one.bytes, one.name); });
}

// A group that was judged, with the files that its findings refer to.
struct Judged {
    explicit Judged(const std::vector<PairMember>& members) {
        for (const PairMember& one : members) files.push_back({one.name, as_bytes(one.bytes)});
        group = judge_files(files);
    }
    template <class Action>
    void for_each(Action action) const {
        for (size_t i = 0; i < files.size(); ++i)
            for (const Diagnostic& one : group.outcomes[i]->report().diagnostics()) action(files[i].name, one);
    }

    std::vector<GroupFile> files;
    JudgedGroup group;
};

bool is_of_group(const Diagnostic& finding) { return finding.rule->id.starts_with("siblings/"); }

std::string line_of(const std::string& file, const Diagnostic& finding) {
    return PairExpectation{file, expectation_of(finding), {}}.line();
}

// All errors and warnings, and the notes about the group.
std::vector<std::string> findings_of(const std::vector<PairMember>& members) {
    const Judged judged(members);
    std::vector<std::string> found;
    judged.for_each([&](const std::string& file, const Diagnostic& one) {
        CHECK(is_of_group(one) == !one.related_file.empty());
        if (severity_of(one) != Severity::note || is_of_group(one)) found.push_back(line_of(file, one));
    });
    std::ranges::sort(found);
    return found;
}

std::string listed(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text.empty() ? "(nothing)\n" : text;
}

// The texts of the finding, in the notation of cases.
std::vector<std::string> wording_of(const Diagnostic& finding) {
    std::vector<std::string> lines = {"says " + text_of(std::string_view(message_of(finding)))};
    if (!finding.hint.empty()) lines.push_back("hint " + text_of(finding.hint));
    std::string related = "related " + std::string(finding.related_file);
    if (finding.related_offset != kNone) {
        Expectation place;
        place.offset = finding.related_offset;
        place.length = finding.related_length;
        const std::string line = line_of(place);
        related += line.substr(line.rfind(' '));
    }
    lines.push_back(related);
    return lines;
}

// What the files say together, as the notation has it.
std::vector<std::string> lines_of(const Judged& judged) {
    std::vector<std::string> lines;
    for (const auto& [code, pairing] : judged.group.pairings) {
        const Checked checked{.path = judged.files[code].name, .outcome = *judged.group.outcomes[code]};
        lines.push_back("line " + text_of(pairing_text(checked, pairing)));
    }
    std::ranges::sort(lines);
    return lines;
}

// The wordings of a file by the numbers of the lines above them: of the first finding of its rule in each violation
// below its `expect` line, and of the lines that always come below that of its folder.
using WordingByLine = std::map<size_t, std::vector<std::string>>;

WordingByLine found_in(const PairFile& pair) {
    WordingByLine found;
    for (const PairBlock& block : pair.blocks) {
        if (!block.is_violation) continue;
        const Judged judged(block.files);
        found[block.folder_line] = lines_of(judged);
        bool is_first = true;
        judged.for_each([&](const std::string& file, const Diagnostic& one) {
            if (!is_first || one.rule->id != pair.rule) return;
            const auto line = std::ranges::find(block.expected, line_of(file, one), &PairExpectation::line);
            if (line == block.expected.end()) return;
            found[line->finding.line] = wording_of(one);
            is_first = false;
        });
    }
    return found;
}

WordingByLine written_in(const PairFile& pair) {
    WordingByLine written;
    for (const PairBlock& block : pair.blocks) {
        if (block.is_violation || !block.lines.empty()) written[block.folder_line] = block.lines;
        for (const PairExpectation& one : block.expected)
            if (!one.wording.empty()) written[one.finding.line] = one.wording;
    }
    return written;
}

void write_wording(const fs::path& path, const WordingByLine& wanted) {
    std::istringstream lines(*read_file(path));
    std::string text, line;
    for (size_t number = 1; std::getline(lines, line); ++number) {
        const std::string verb = line.substr(0, line.find(' '));
        if (verb != "says" && verb != "hint" && verb != "related" && verb != "line") text += line + '\n';
        if (const auto found = wanted.find(number); found != wanted.end())
            for (const std::string& one : found->second) text += one + '\n';
    }
    write_file(path, text);
}

TEST_CASE("every pair gives exactly the findings that it expects" * doctest::test_suite(kEachPair)) {
    for (const PairFile& pair : all_pairs()) {
        CAPTURE(pair.path);
        for (const PairBlock& block : pair.blocks) {
            CAPTURE(block.title);
            if (needs_zstd(block.files)) continue;
            std::vector<std::string> expected;
            for (const PairExpectation& one : block.expected) expected.push_back(one.line());
            std::ranges::sort(expected);
            const std::vector<std::string> found = findings_of(block.files);
            CHECK_MESSAGE(found == expected, "found\n" << listed(found) << how_to_repeat(pair));
            const bool names_rule = std::ranges::any_of(
                block.expected, [&](const PairExpectation& one) { return one.finding.rule == pair.rule; });
            CHECK(names_rule == block.is_violation);
        }
    }
}

TEST_CASE("every rule about pairs has a violation and a near miss") {
    std::map<std::string_view, std::set<bool>> kinds;
    const std::vector<PairFile> pairs = all_cases();
    for (const PairFile& pair : pairs) {
        CAPTURE(pair.path);
        CHECK(find_rule(pair.rule) != nullptr);
        CHECK_FALSE(pair.description.empty());
        for (const PairBlock& block : pair.blocks) kinds[pair.rule].insert(block.is_violation);
        const Rule* rule = find_rule(pair.rule);
        if (rule != nullptr) CHECK(rule->spec.starts_with(pair.spec.substr(0, pair.spec.find(';'))));
    }
    for (const GroupGrammar* one : group_grammars())
        for (const Rule* rule : rules_of(*one->grammar))
            // Files of the corpus do not reach the limits: tests/grammars/siblings/siblings_test.cpp does.
            if (!rule->id.ends_with("/tracking-limit")) CHECK_MESSAGE(kinds[rule->id].size() == 2, rule->id);
}

TEST_CASE("every rule about pairs says what its case has" * doctest::test_suite(kEachPair)) {
    for (const PairFile& pair : all_pairs()) {
        if (std::ranges::any_of(pair.blocks, [](const PairBlock& block) { return needs_zstd(block.files); })) continue;
        const WordingByLine found = found_in(pair), written = written_in(pair);
        CHECK_FALSE(found.empty());
        if (is_blessing() && found != written)
            write_wording(kRoot / pair.path, found);
        else
            CHECK_MESSAGE((found == written), pair.path << ": scripts/bless writes what it says\n"
                                                        << how_to_repeat(pair));
    }
}

TEST_CASE("every exhibit of files that belong together has its story, and its files are beside it") {
    const std::vector<PairFile> exhibits = all_exhibits();
    CHECK(exhibits.size() >= 10);
    for (const PairFile& exhibit : exhibits) {
        CAPTURE(exhibit.path);
        CHECK_FALSE(exhibit.description.empty());
        CHECK_FALSE(exhibit.report.empty());
        CHECK_FALSE(exhibit.cost.empty());
        CHECK_FALSE(exhibit.spec.empty());
        CHECK(exhibit.rule.starts_with("siblings/"));
        REQUIRE_FALSE(exhibit.blocks.empty());
        for (const PairBlock& block : exhibit.blocks) CHECK(block.is_violation == (&block == &exhibit.blocks[0]));
        const fs::path folder = (kRoot / exhibit.path).replace_extension();
        std::set<std::string> names;
        for (const PairMember& one : exhibit.blocks[0].files) {
            names.insert(one.name);
            if (is_blessing()) {
                fs::create_directories(folder);
                write_file(folder / one.name, one.bytes);
            }
            CHECK_MESSAGE((read_file(folder / one.name) == one.bytes),
                          one.name << " differs, or is missing: scripts/bless");
        }
        std::error_code missing;
        for (const auto& entry : fs::directory_iterator(folder, missing))
            CHECK_MESSAGE(names.contains(entry.path().filename().string()), entry.path() << " belongs to no file");
    }
}

TEST_CASE("healthy pairs of real files have no error and no warning") {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kReal)) {
        const std::string folder = entry.path().filename().string();
        if (!entry.is_directory() || kBroken.contains(folder)) continue;
        CAPTURE(folder);
        for (const std::string& one : findings_of(tested_corpus().pair_members(folder)))
            CHECK_MESSAGE(one.starts_with("expect note "), one);
        ++count;
    }
    CHECK(count >= 6);
}

TEST_CASE("a fault in the notation of a pair is named with its line") {
    const PairReader real = [](std::string_view folder) {
        return folder == "pair" ? std::vector<PairMember>{{"a", "12345678"}, {"b", "12"}} : std::vector<PairMember>{};
    };
    const auto error_of = [&](const std::string& line) {
        Errors errors;
        (void)read_pair("violation: x\npair pair\n" + line + "\n", "x.pair", real, errors);
        return errors.empty() ? "" : errors.front();
    };
    CHECK(error_of("pair none") == "x.pair:3: there are no pairs in the folder 'none'");
    CHECK(error_of("c cut 1") == "x.pair:3: there is no file 'c'");
    CHECK(error_of("a cut 9") == "x.pair:3: the file has no such offset");
    CHECK(error_of("a cut 8") == "x.pair:3: the edit changes nothing");
    CHECK(error_of("a set 0 31") == "x.pair:3: the edit changes nothing");
    CHECK(error_of("b set 1 00 00") == "x.pair:3: unknown edit, or more bytes than the file has");
    CHECK(error_of("a turn 0 00") == "x.pair:3: unknown edit, or more bytes than the file has");
    CHECK(error_of("a delete 7+2") == "x.pair:3: there are no such bytes");
    CHECK(error_of("expect fault siblings/x a 0+1 -") == "x.pair:3: expected SEVERITY RULE FILE OFFSET+LENGTH FIELD");
    CHECK(error_of("expect error siblings/x a 0x -") == "x.pair:3: expected SEVERITY RULE FILE OFFSET+LENGTH FIELD");
    CHECK(error_of("says \"x\"") == "x.pair:3: follows no `expect` line");
    for (const char* line : {"a cut 7", "a set 0x0 32", "a insert 8 00", "a delete 0+8", "a name c", "b remove",
                             "expect error siblings/x a 0x00+1 -"})
        CHECK_MESSAGE(error_of(line).empty(), line);
}

}  // namespace
}  // namespace tracelint
