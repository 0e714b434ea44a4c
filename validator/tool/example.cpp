// Rendering of cases, out of the corpus that the build puts into the program.
#include "validator/tool/example.hpp"

#include <algorithm>
#include <cstdio>

#include "validator/generator/case_file.hpp"
#include "validator/tool/corpus_text.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kRow = 16;
constexpr uint64_t kRows = 4;  // at most, of one example

std::optional<std::string> embedded(const std::string& path) {
    for (const CorpusText& file : corpus_texts())
        if (file.path == path) return std::string(file.text);
    return {};
}

std::optional<std::string> embedded_base(std::string_view format, std::string_view file) {
    return embedded("corpus/" + std::string(format) + "/base/" + std::string(file));
}

// A row of bytes, and a second one of marks below those of the place.
std::string row_of(std::string_view bytes, uint64_t offset, uint64_t start, uint64_t end) {
    char text[24];
    std::snprintf(text, sizeof text, "%08llx ", static_cast<unsigned long long>(offset));
    std::string line = text, marks(line.size(), ' ');
    // One column more than there are bytes: a place at the end of the file has none.
    for (uint64_t i = 0; i <= bytes.size(); ++i) {
        const bool marked = offset + i >= start && offset + i < end;
        text[0] = '\0';
        if (i < bytes.size()) std::snprintf(text, sizeof text, " %02x", static_cast<uint8_t>(bytes[i]));
        line += text;
        if (i < bytes.size() || end - start == 1) marks += marked ? " ^^" : "   ";
    }
    const bool has_marks = marks.find('^') != marks.npos;
    marks.erase(marks.find_last_not_of(' ') + 1);
    return "    " + line + '\n' + (has_marks ? "    " + marks + '\n' : "");
}

std::string window_of(const SparseBytes& bytes, const Expectation& finding) {
    const uint64_t start = finding.offset;
    const uint64_t end = start + std::max<uint64_t>(finding.length, 1);
    const uint64_t first = start / kRow * kRow;
    const uint64_t rows = std::min((end - 1) / kRow - start / kRow + 1, kRows);
    std::string text;
    for (uint64_t row = first; row < first + rows * kRow; row += kRow)
        text += row_of(bytes.part(row, kRow), row, start, end);
    if (end > first + rows * kRow) text += "    ... and " + std::to_string(end - first - rows * kRow) + " more bytes\n";
    return text;
}

// How the file came about, as the case tells it.
std::string origin_of(const CaseBlock& block) {
    std::string edits;
    for (const std::string& line : block.lines)
        if (!line.starts_with("base") && !line.starts_with("expect") && !line.empty()) edits += "    " + line + '\n';
    const std::string from = block.base == "empty" ? "an empty file" : block.base;
    return edits.empty() ? "this is " + from + "\n" : "made from " + from + " by\n" + edits;
}

// The first violation that is not of the milder form of the rule.
const CaseBlock* first_violation(const CaseFile& file, const Rule& rule) {
    const auto shows_it = [&](const CaseBlock& block) {
        return block.is_violation && std::ranges::any_of(block.expected, [&](const Expectation& finding) {
                   return finding.rule == rule.id && finding.severity == rule.severity;
               });
    };
    const auto found = std::ranges::find_if(file.blocks, shows_it);
    return found == file.blocks.end() ? nullptr : &*found;
}

}  // namespace

std::string example_of(const Rule& rule) {
    const std::string_view format = rule.id.substr(0, rule.id.find('/'));
    const std::string_view slug = rule.id.substr(std::min(format.size() + 1, rule.id.size()));
    const std::string path = "corpus/" + std::string(format) + "/rules/" + std::string(slug) + ".case";
    const std::optional<std::string> text = embedded(path);
    if (!text) return {};
    Errors errors;
    const CaseFile file = read_case(*text, path, embedded_base, errors);
    const CaseBlock* block = first_violation(file, rule);
    if (block == nullptr) return {};

    std::string example = file.description + "\n\nFor example: " + block->title + "\n";
    for (const Expectation& finding : block->expected)
        if (finding.rule == rule.id && finding.severity == rule.severity) {
            example += window_of(block->bytes, finding);
            break;
        }
    example += origin_of(*block) + "found in it\n";
    for (const Expectation& finding : block->expected) example += "    " + line_of(finding).substr(7) + '\n';
    return example;
}

}  // namespace tracelint
