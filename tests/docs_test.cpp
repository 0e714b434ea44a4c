// The reference documents and the examples of `explain` are what the tables and the corpus say today.
#include "validator/tool/docs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/corpus.hpp"
#include "validator/tool/corpus_text.hpp"
#include "validator/tool/example.hpp"
#include "validator/tool/rule_info.hpp"

namespace tracelint {
namespace {

constexpr Rule kRule{.id = "toy/some-rule",
                     .severity = Severity::warning,
                     .statement = "a must be b",
                     .message = "",
                     .why = "readers stop",
                     .spec = "3.3 JIT_CODE_LOAD (0); xray 4 End",
                     .since = "0.1.0"};
constexpr NamedValue kNames[] = {{1, "one"}, {0x4000, "many"}};
constexpr Record kElement = record("element", kNoTag, "one of several", {word("address"), sleb128("delta").since(3)});
constexpr Record kToy = record(
    "toy", 7, "a record",
    {bits("low", 2, 0, 4).differs_from(0, &kRule), bits("high", 2, 4, 12), u32("kind").known(kNames).says("a | b"),
     string("name"), uleb128("count"), list("elements", kElement).counted_by("count"), bytes("rest")});
constexpr const Record* kRecords[] = {&kToy};
constexpr const Rule* kRules[] = {&kRule};
constexpr RuleList kRuleList{kRules};
constexpr const RuleList* kRuleLists[] = {&kRuleList};
constexpr MachineRow kRows[] = {{"start", "x", "start", Recovery::accept, nullptr},
                                {"start", "end", "over", Recovery::stop, &kRule},
                                {"start", "y", "start", Recovery::accept, nullptr}};

constexpr std::string_view kToyReference = R"(# toy: Toy

Generated from the tables in `grammars/toy/` by `scripts/bless`; do not edit. Specification: [spec.md](spec.md), after the toy document.

## Records

### toy

a record; kind 7.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0, bit 0 | 4 bits | `low` | not 0, else [some-rule](#toysome-rule) | |
| 0, bit 4 | 12 bits | `high` | | |
| 2 | 4 | `kind` | a named value | a \| b: 1 one, 0x4000 many |
| 6 | up to NUL | `name` | | |
| | LEB128 | `count` | | |
| | `count` × `element` | `elements` | | |
| | rest | `rest` | | |

### element

one of several.

| offset | size | field | valid values | notes |
|---|---|---|---|---|
| 0 | word | `address` | | |
| 1 word | LEB128, signed | `delta` | | since version 3 |

## State machine

| state | symbol | next | action | rule |
|---|---|---|---|---|
| start | x, y | start | check | |
| start | end | over | stop | [some-rule](#toysome-rule) |

## Rules

### toy/some-rule

warning, since 0.1.0
- requires: a must be b
- otherwise: readers stop
- spec: [3.3 JIT_CODE_LOAD (0)](spec.md#33-jit_code_load-0), [4 End](../xray/spec.md#4-end)
- example: [some-rule.case](../../corpus/toy/rules/some-rule.case)
)";

}  // namespace

TEST_CASE("a reference document shows every table") {
    Grammar toy{};
    toy.id = "toy";
    toy.title = "Toy";
    toy.spec = "the toy document";
    toy.records = kRecords;
    toy.rules = kRuleLists;
    const MachineTable machines[] = {{"State machine", kRows}};
    toy.machines = machines;
    CHECK(reference_of(toy) == kToyReference);
}

TEST_CASE("the reference documents are up to date") {
    for (const Format* format : formats())
        for (const Grammar* grammar : format->grammars) {
            const auto path = kRoot / "grammars" / grammar->id / "reference.md";
            const std::string wanted = reference_of(*grammar);
            if (is_blessing()) write_file(path, wanted);
            const std::string written = read_file(path).value_or("");
            CHECK_MESSAGE((written == wanted),
                          shown(path) << " is not up to date (run scripts/bless), " << difference(written, wanted));
        }
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
    for (const Format* format : formats())
        for (const Grammar* grammar : format->grammars) {
            const auto folder = kRoot / "grammars" / grammar->id;
            const std::string reference = reference_of(*grammar);
            std::map<std::string, std::set<std::string>> anchors = {{"", anchors_in(reference)}};
            size_t links = 0;
            for (std::sregex_iterator at(reference.begin(), reference.end(), link), end; at != end; ++at, ++links) {
                const std::string file = (*at)[1], anchor = (*at)[2];
                if (!anchors.contains(file)) anchors[file] = anchors_in(read_file(folder / file).value_or(""));
                CHECK_MESSAGE(anchors.at(file).contains(anchor), grammar->id << ": " << (*at)[0]);
            }
            CHECK(links >= rules_of(*grammar).size());
        }
}

TEST_CASE("the program holds the cases and base files of the corpus as they are") {
    size_t files = 0;
    for (const Format* format : formats())
        files += corpus_files(*format, "base", ".hex").size() + corpus_files(*format, "rules", ".case").size();
    CHECK(corpus_texts().size() == files);
    for (const CorpusText& file : corpus_texts()) CHECK_MESSAGE((read_file(kRoot / file.path) == file.text), file.path);
}

TEST_CASE("every rule of a format has an example") {
    for (const Format* format : formats()) {
        for (const Rule* rule : rules_of(*format)) {
            const std::string example = example_of(*rule);
            const std::string found =
                "    " + std::string(to_string(rule->severity)) + ' ' + std::string(rule->id) + " 0x";
            CHECK_MESSAGE(example.find(found) != example.npos, rule->id << "\n" << example);
            CHECK_MESSAGE(example.find("^") != example.npos, rule->id << "\n" << example);
        }
    }
    CHECK(example_of(kRule).empty());
}

}  // namespace tracelint
