// The reference documents agree with the tables, and the examples of `explain` with the corpus.
#include "validator/tool/catalogue/docs.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <map>
#include <regex>
#include <set>

#include "tests/support/corpus.hpp"
#include "tests/toy/formats.hpp"
#include "validator/group.hpp"
#include "validator/tool/catalogue/section.hpp"

namespace tracelint {
namespace {

// What the toy has no use for: words of the producer, a bar in a note, a section of another grammar's specification.
constexpr Rule kRule{
    .id = "rare/some-rule",
    .severity = Severity::warning,
    .statement = "a must be b",
    .message = "",
    .why = "readers stop",
    .spec = "3.3 JIT_CODE_LOAD (0); xray 4 End",
    .since = "0.1.0",
};
constexpr auto kWords = record(
    "words", kNoTag, "in the word size of the producer",
    {word("address"), word("low").differs_from(0, &kRule), sleb128("delta").since(3), bytes("rest").says("a | b")});
constexpr const Record* kRecords[] = {&kWords};
constexpr const Rule* kRules[] = {&kRule};
constexpr RuleList kRuleList{kRules};
constexpr const RuleList* kRuleLists[] = {&kRuleList};

// The part of a document below the heading, up to the next one.
std::string below(const std::string& document, const std::string& heading) {
    const size_t at = document.find("\n" + heading + "\n\n");
    REQUIRE_MESSAGE(at != std::string::npos, heading);
    const size_t start = at + heading.size() + 3;
    return document.substr(start, document.find("\n\n#", start) - start + 1);
}

}  // namespace

TEST_CASE("a reference document says what it is made from") {
    const std::string reference = reference_of(*kToy.grammars[0]);
    CHECK(reference.starts_with(
        "# toy: Toy trace\n\nMade from the tables of tracelint " TRACELINT_VERSION
        ". Specification: [spec.md](spec.md), after the toy document, version 2. "
        "Examples are files of the source tree; `tracelint explain RULE` shows them.\n\n## Records\n"));
}

TEST_CASE("a reference document shows every field of a record") {
    const std::string reference = reference_of(*kToy.grammars[0]);
    CHECK(below(reference, "### TASK") == R"(introduces a task; kind 1.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0 | 1 | `kind` | 1 | |
| 1 | 2 | `size` | size of the whole record in bytes | |
| 3 | LEB128 | `task` | | id; unique in the file |
| | up to NUL | `name` | | |
| | LEB128 | `parent` | | id of the task that created it, or 0; since version 2 |
)");
    CHECK(below(reference, "### EVENT") == R"(a worker starts or finishes a task; kind 2.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0 | 1 | `kind` | 2 | |
| 1 | 2 | `size` | size of the whole record in bytes | |
| 3 | 8 | `time` | | in nanoseconds |
| 11, bit 0 | 4 bits | `action` | a named value, else [unknown-action](#toyunknown-action) | 0 start, 1 finish |
| 11, bit 4 | 12 bits | `worker` | | |
| 13 | LEB128 | `task` | | |
)");
    CHECK(below(reference, "### COUNTERS").ends_with("| 5 | `count` × `sample` | `samples` | | |\n"));
    CHECK(below(reference, "### sample") == R"(by how much a counter changed.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0 | 2 | `counter` | | |
| 2 | LEB128, signed | `change` | | |
)");
}

TEST_CASE("a reference document shows every pair of a state machine, and trackers without actions") {
    const std::string reference = reference_of(*kToy.grammars[0]);
    const std::string file = below(reference, "## State machine of a file");
    CHECK(
        file.starts_with("| state | symbol | next | action | rule |\n|---|---|---|---|---|\n"
                         "| header | header | records | check | |\n"
                         "| header | other magic number | stopped | stop | [bad-magic](#toybad-magic) |\n"));
    CHECK(file.find(
              "| closed | record, CLOSE, unknown kind, size below 3, record cut by the end of the file | records | ") !=
          file.npos);
    CHECK(below(reference, "## State machine of a task") == R"(| state | event | next | rule |
|---|---|---|---|
| idle | start | running | |
| idle | finish | idle | [finish-without-start](#toyfinish-without-start) |
| idle | end of file | over | |
| running | start | running | [started-twice](#toystarted-twice) |
| running | finish | idle | |
| running | end of file | over | [never-finished](#toynever-finished) |
)");
}

TEST_CASE("a reference document describes every rule") {
    CHECK(below(reference_of(*kToy.grammars[0]), "#### toy/unknown-version") == R"(error, since 0.1.0
- requires: the version is 1 or 2
- otherwise: the layout of the records is unknown, so nothing after the header is checked
- spec: [1. Sources and versions](spec.md#1-sources-and-versions), [3.1 Header](spec.md#31-header)
- example: `corpus/toy/rules/unknown-version.case`
)");
}

TEST_CASE("a reference document groups the rules by the first section that they cite, in the order of the sections") {
    static constexpr Rule later{.id = "rare/later",
                                .severity = Severity::note,
                                .statement = "",
                                .message = "",
                                .why = "",
                                .spec = "3.10 Ten; 3.2 Two",
                                .since = "0.1.0"};
    static constexpr Rule earlier{.id = "rare/earlier",
                                  .severity = Severity::note,
                                  .statement = "",
                                  .message = "",
                                  .why = "",
                                  .spec = "3.2 Two",
                                  .since = "0.1.0"};
    static constexpr const Rule* rules[] = {&later, &earlier, &kRule, &later};
    static constexpr RuleList list{rules};
    static constexpr const RuleList* lists[] = {&list};
    Grammar rare{};
    rare.id = "rare";
    rare.rules = lists;
    const std::string reference = reference_of(rare);
    std::string headings;
    for (size_t at = reference.find("\n##"); at != reference.npos; at = reference.find("\n##", at + 1))
        headings += reference.substr(at + 1, reference.find('\n', at + 1) - at);
    CHECK(headings == R"(## Rules
### 3.2 Two
#### rare/earlier
### 3.3 JIT_CODE_LOAD (0)
#### rare/some-rule
### 3.10 Ten
#### rare/later
#### rare/later
)");
}

TEST_CASE("a reference document shows words, versions, bars and sections of other specifications") {
    Grammar rare{};
    rare.id = "rare";
    rare.records = kRecords;
    rare.rules = kRuleLists;
    const std::string reference = reference_of(rare);
    CHECK(below(reference, "### words") == R"(in the word size of the producer.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0 | word | `address` | | |
| 1 word | word | `low` | not 0, else [some-rule](#raresome-rule) | |
| 2 words | LEB128, signed | `delta` | | since version 3 |
| | rest | `rest` | | a \| b |
)");
    CHECK(reference.find(
              "- spec: [3.3 JIT_CODE_LOAD (0)](spec.md#33-jit_code_load-0), [4 End](../xray/spec.md#4-end)\n") !=
          reference.npos);
}

namespace {

// By the grammar, whose name its folder has.
std::map<std::string, std::filesystem::path> specifications() {
    std::map<std::string, std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "grammars"))
        if (entry.path().filename() == "spec.md") found[entry.path().parent_path().filename().string()] = entry.path();
    return found;
}

}  // namespace

TEST_CASE("every grammar has a reference document, with its records, machines and rules") {
    std::set<std::string> names, specified;
    for (const auto& [name, path] : specifications()) specified.insert(name);
    for (const Grammar* grammar : all_grammars()) {
        names.insert(std::string(grammar->id));
        const std::string reference = reference_of(*grammar);
        const auto has_heading = [&](std::string_view heading, std::string_view name) {
            return reference.find(fmt::format("\n{} {}\n", heading, name)) != reference.npos;
        };
        for (const Record* record : grammar->records) CHECK_MESSAGE(has_heading("###", record->name), record->name);
        for (const MachineTable& machine : grammar->machines)
            CHECK_MESSAGE(has_heading("##", machine.about), machine.about);
        for (const Rule* rule : rules_of(*grammar)) CHECK_MESSAGE(has_heading("####", rule->id), rule->id);
    }
    CHECK(names == specified);
}

TEST_CASE("every link of a reference document leads to an existing heading") {
    const auto anchors_in = [](const std::string& markdown) {
        std::set<std::string> anchors;
        for (size_t at = 0; at < markdown.size(); at = markdown.find('\n', at) + 1) {
            if (markdown[at] == '#') {
                const size_t start = markdown.find_first_not_of("# ", at);
                anchors.insert(anchor_of(markdown.substr(start, markdown.find('\n', start) - start)));
            }
            if (markdown.find('\n', at) == markdown.npos) break;
        }
        return anchors;
    };
    const std::regex link(R"(\]\(([^)#]*)#([^)]*)\))");
    for (const Grammar* grammar : all_grammars()) {
        const std::string reference = reference_of(*grammar);
        std::map<std::string, std::set<std::string>> anchors = {{"", anchors_in(reference)}};
        size_t links = 0;
        for (std::sregex_iterator at(reference.begin(), reference.end(), link), end; at != end; ++at, ++links) {
            const std::string file = (*at)[1], anchor = (*at)[2];
            if (!anchors.contains(file)) {
                const std::filesystem::path path = kRoot / "grammars" / folder_of_grammar(grammar->id) / file;
                CHECK_MESSAGE(path.filename() == "spec.md", file);
                anchors[file] = anchors_in(read_file(path).value_or(""));
            }
            CHECK_MESSAGE(anchors.at(file).contains(anchor), grammar->id << ": " << (*at)[0]);
        }
        CHECK(links >= rules_of(*grammar).size());
    }
}

TEST_CASE("the program holds the cases, base files and exhibits of the corpus as they are") {
    size_t files = 0;
    for (const Format* format : formats())
        for (const auto& [folder, end] : {std::pair("base", ".hex"), {"rules", ".case"}, {"readers", ".case"}})
            files += corpus_files(*format, folder, end).size();
    for (const char* const folder : {"siblings/pairs", "siblings/real"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "corpus" / folder))
            files += entry.is_regular_file() ? 1 : 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "corpus/museum"))
        files += entry.path().extension() == ".case" ? 1 : 0;
    CHECK(corpus_texts().size() == files);
    for (const CorpusText& file : corpus_texts()) CHECK_MESSAGE((read_file(kRoot / file.path) == file.text), file.path);
}

TEST_CASE("the program holds the specifications as they are, with each section that a rule cites") {
    CHECK(specification_texts().size() == all_grammars().size());
    for (const CorpusText& file : specification_texts())
        CHECK_MESSAGE((read_file(kRoot / file.path) == file.text), file.path);
    for (const Rule* rule : all_rules())
        for (const SpecSection& section : spec_sections_of(*rule))
            CHECK_MESSAGE(!text_of_section(section).empty(), section.grammar << ": " << section.heading);
}

TEST_CASE("a section has the sections within it, and ends where the next one begins") {
    const std::string_view header = text_of_section({"perfdata", "3.1 File header"});
    CHECK(header.starts_with("| offset | size | field |\n"));
    CHECK(header.ends_with("header whose fields are 0, and leaves it so if it fails."));
    const std::string_view layout = text_of_section({"perfdata", "3. Layout"});
    CHECK(layout.starts_with("### 3.1 File header\n\n| offset"));
    CHECK(layout.find(header) != layout.npos);
    CHECK(layout.find("\n## ") == layout.npos);
    CHECK(text_of_section({"perfdata", "3.1"}).empty());
    CHECK(text_of_section({"no grammar", "3.1 File header"}).empty());
}

TEST_CASE("every rule of a format has an example") {
    for (const Format* format : formats()) {
        for (const Rule* rule : rules_of(*format)) {
            const std::string example = example_of(*rule);
            const std::string found =
                "    " + std::string(to_string(rule->severity)) + ' ' + std::string(rule->id) + " 0x";
            CHECK_MESSAGE(example.find(found) != example.npos, rule->id << "\n" << example);
            CHECK_MESSAGE(example.find('^') != example.npos, rule->id << "\n" << example);
        }
    }
    CHECK(example_of(kRule).empty());
}

TEST_CASE("every rule about pairs of files has an example, but for limits") {
    for (const GroupGrammar* one : group_grammars()) {
        for (const Rule* rule : rules_of(*one->grammar)) {
            const std::string example = example_of(*rule);
            CHECK_MESSAGE(example.empty() == rule->id.ends_with("/tracking-limit"), rule->id);
            if (example.empty()) continue;
            const std::string found = fmt::format("    {} {} ", to_string(rule->severity), rule->id);
            const size_t at = example.find(found);
            CHECK_MESSAGE(at != example.npos, rule->id << "\n" << example);
            CHECK_MESSAGE(example.find("\n      says \"", at) != example.npos, rule->id << "\n" << example);
            CHECK_MESSAGE(example.find('^') != example.npos, rule->id << "\n" << example);
            for (size_t line = 0; line < example.size(); line = example.find('\n', line) + 1)
                CHECK_MESSAGE(example.find('\n', line) - line <= 80, rule->id << "\n" << example);
        }
    }
}

}  // namespace tracelint
