// Renders cases of the corpus, which the build embeds into the program.
#include "validator/tool/catalogue/example.hpp"

#include <fmt/core.h>

#include "validator/generator/pair_file.hpp"
#include "validator/report/expectation_rules.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/excerpt.hpp"

namespace tracelint {
namespace {

constexpr size_t kTextWidth = 80;  // columns

std::optional<std::string> embedded(const std::string& path) {
    for (const CorpusText& file : corpus_texts())
        if (file.path == path) return std::string(file.text);
    return {};
}

std::optional<std::string> embedded_base(std::string_view format, std::string_view file) {
    return embedded(fmt::format("corpus/{}/base/{}", format, file));
}

std::string indented(std::string_view line) { return wrapped("    ", line, 8, kTextWidth); }

// An edit, and its comment after it, or below it if there is no room.
std::string edit_lines(const std::string& edit) {
    const size_t comment = edit.rfind("  # ");
    if (comment == edit.npos) return indented(edit);
    const std::string bytes = edit.substr(0, edit.find_last_not_of(' ', comment) + 1);
    const std::string line = bytes + edit.substr(comment);
    const bool fits = line.size() + 4 <= kTextWidth;
    return fits ? indented(line) : indented(bytes) + wrapped("        ", edit.substr(comment + 2), 8, kTextWidth);
}

// How the bytes are made, in the words of the case.
std::string origin_of(const CaseBlock& block) {
    std::string edits;
    for (const std::string& line : block.lines)
        if (!line.empty() && !line.starts_with("base") && !line.starts_with("expect") && !line.starts_with("says"))
            edits += edit_lines(line);
    return edits.empty() ? fmt::format("file: {}\n", block.base) : fmt::format("file: {}, with\n{}", block.base, edits);
}

// The files of a recorded run.
std::vector<PairMember> embedded_run(std::string_view run) {
    const std::string folder = fmt::format("corpus/siblings/real/{}/", run);
    std::vector<PairMember> members;
    for (const CorpusText& file : corpus_texts())
        if (file.path.starts_with(folder))
            members.push_back({std::string(file.path.substr(folder.size())), std::string(file.text)});
    return members;
}

// The lines of a text, each broken at 80 columns.
std::string in_lines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines += wrapped("", text.substr(0, end), 0, kTextWidth);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool shows(const Expectation& finding, const Rule& rule) {
    return finding.rule == rule.id && finding.severity == rule.severity;
}

// The first violation that has the rule's own severity, and the finding.
struct Violation {
    const CaseBlock* block = nullptr;
    const Expectation* finding = nullptr;
};

Violation first_violation(const CaseFile& file, const Rule& rule) {
    for (const CaseBlock& block : file.blocks)
        for (const Expectation& finding : block.expected)
            if (block.is_violation && shows(finding, rule)) return {&block, &finding};
    return {};
}

// The bytes of a finding, marked.
std::string bytes_of(std::unique_ptr<Source> source, const Expectation& finding) {
    Excerpts excerpts(std::move(source));
    const std::string window = hex_window(excerpts, finding.offset, finding.length, "  ", {});
    return window.empty() ? "  00000000\n            ^\n" : window;  // the file may be empty
}

std::string example_of_file(const Rule& rule, const std::string& text, const std::string& path) {
    Errors errors;
    const CaseFile file = read_case(text, path, embedded_base, errors);
    const auto [block, finding] = first_violation(file, rule);
    if (block == nullptr) return {};
    std::string example = in_lines(file.description) + '\n' + in_lines(fmt::format("For example, {}:", block->title));
    example += bytes_of(std::make_unique<SparseSource>(block->bytes, true), *finding);
    example += origin_of(*block) + "findings:\n";
    for (const Expectation& expected : block->expected)
        example += indented(line_of(expected).substr(std::string_view("expect ").size()));
    return example;
}

// The files of a pair, and what is changed in them.
std::string origin_of(const PairBlock& block) {
    std::string names;
    for (const PairMember& member : embedded_run(block.folder))
        names += fmt::format("{}{}", names.empty() ? "" : ", ", member.name);
    std::string text = fmt::format("files: {} of {}", names, block.folder);
    text += block.edits.empty() ? "\n" : ", with\n";
    for (const std::string& edit : block.edits) text += indented(edit);
    return text;
}

// The texts of a finding, in the notation of pairs.
std::string wording_of(const PairExpectation& expected) {
    std::string text;
    for (const std::string& line : expected.wording) text += wrapped("      ", line, 8, kTextWidth);
    return text;
}

std::string example_of_pair(const Rule& rule, const std::string& text, const std::string& path) {
    Errors errors;
    const PairFile file = read_pair(text, path, embedded_run, errors);
    const auto block = std::ranges::find_if(file.blocks, &PairBlock::is_violation);
    if (block == file.blocks.end()) return {};
    const auto is_rule = [&](const PairExpectation& one) { return shows(one.finding, rule); };
    const auto expected = std::ranges::find_if(block->expected, is_rule);
    if (expected == block->expected.end()) return {};
    const auto member = std::ranges::find(block->files, expected->file, &PairMember::name);
    if (member == block->files.end()) return {};
    std::string example = in_lines(file.description) + '\n';
    example += in_lines(fmt::format("For example, {}; in {}:", block->title, member->name));
    example += bytes_of(std::make_unique<MemorySource>(as_bytes(member->bytes)), expected->finding);
    example += origin_of(*block) + "findings:\n";
    for (const PairExpectation& one : block->expected)
        example += indented(one.line().substr(std::string_view("expect ").size())) + wording_of(one);
    return example;
}

// What a user expects is in no file. A JIT dump with a few functions in traces/ is what these miss something in.
struct ExpectationExample {
    const Rule& rule;
    std::string_view configuration, missing;
};
constexpr ExpectationExample kExpectationExamples[] = {
    {kExpectedFormat, R"({"expect": "xray"})", "each file in another format"},
    {kExpectedStatistic, R"({"expect": {"statistics": {"LOAD": 100}}})", "each file with fewer LOAD records"},
    {kExpectedName, R"({"expect": {"names": ["main*"]}})", "each file without a function of such a name"},
    {kExpectedFile, R"({"overrides": [{"files": "traces/*.mlpd", "expect": {"files": 1}}]})",
     "a run without such a file"},
};

std::string example_of_expectation(const Rule& rule) {
    const auto example =
        std::ranges::find_if(kExpectationExamples, [&](const auto& one) { return &one.rule == &rule; });
    if (example == std::end(kExpectationExamples)) return {};
    return in_lines(fmt::format("With this configuration, {} has the finding:", example->missing)) +
           indented(std::string(example->configuration));
}

// The case of a reader's rule is in the folder of the reader's format.
std::string case_path_of_reader(const Rule& rule) {
    const std::string end = fmt::format("/readers/{}.case", rule.id.substr(rule.id.find('/') + 1));
    for (const CorpusText& file : corpus_texts())
        if (file.path.ends_with(end)) return std::string(file.path);
    return {};
}

}  // namespace

std::string example_of(const Rule& rule) {
    if (std::string example = example_of_expectation(rule); !example.empty()) return example;
    const std::string path = rule.id.starts_with("reader/") ? case_path_of_reader(rule) : case_path_of(rule);
    const std::optional<std::string> text = embedded(path);
    if (!text) return {};
    return is_about_groups(rule) ? example_of_pair(rule, *text, path) : example_of_file(rule, *text, path);
}

}  // namespace tracelint
