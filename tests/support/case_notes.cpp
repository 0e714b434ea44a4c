#include "tests/support/case_notes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace tracelint {
namespace {

// A note of another rule than the case's.
bool is_note_beside(const CaseFile& file, const Expectation& one) {
    return one.severity == Severity::note && one.rule != file.rule;
}

// What the author of the case has to know of.
std::vector<Expectation> without_notes_beside(const CaseFile& file, std::vector<Expectation> expectations) {
    std::erase_if(expectations, [&](const Expectation& one) { return is_note_beside(file, one); });
    return expectations;
}

}  // namespace

bool differs_in_notes_beside(const CaseFile& file, const CaseBlock& block, const std::vector<Expectation>& found) {
    return !all_match(block.expected, found) &&
           all_match(without_notes_beside(file, block.expected), without_notes_beside(file, found));
}

std::optional<std::string> with_notes_beside(const CaseFile& file, const std::string& text, const FoundByBlock& found) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    std::set<size_t> dropped;             // numbers of lines, from 1
    std::map<size_t, std::string> added;  // lines, by the number of the line before them
    for (size_t i = 0; i < file.blocks.size(); ++i) {
        const CaseBlock& block = file.blocks[i];
        if (all_match(block.expected, found[i])) continue;
        if (!differs_in_notes_beside(file, block, found[i])) return std::nullopt;
        std::vector<Expectation> missing = found[i];
        for (const Expectation& expected : block.expected) {
            const auto same = std::ranges::find_if(missing, [&](const auto& one) { return expected.matches(one); });
            if (same != missing.end())
                missing.erase(same);
            else
                dropped.insert(expected.line);
        }
        // Below the last line of the block that is not empty.
        size_t last = i + 1 < file.blocks.size() ? file.blocks[i + 1].line - 1 : lines.size();
        while (last > block.line && lines[last - 1].find_first_not_of(" \t") == std::string::npos) --last;
        for (const Expectation& one : missing) added[last] += line_of(one) + '\n';
    }
    if (dropped.empty() && added.empty()) return std::nullopt;
    std::string result;
    for (size_t number = 1; number <= lines.size(); ++number) {
        if (!dropped.contains(number)) result += lines[number - 1] + '\n';
        if (const auto after = added.find(number); after != added.end()) result += after->second;
    }
    return result;
}

}  // namespace tracelint
