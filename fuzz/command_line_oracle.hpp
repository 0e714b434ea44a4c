// The oracle for the command line: any arguments lead to usable options, an answer or an error, and no file is opened.
// A header of its own, since only tests and fuzz targets link the tool.
#pragma once

#include <algorithm>

#include "fuzz/oracles.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {

// Splits a text into words, each ended by a newline or a NUL.
inline std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const size_t end = std::min(text.find_first_of(std::string_view("\n\0", 2)), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

// What the commands rely on.
inline Complaint usable(const CommandLine& line) {
    const bool has_output = line.command == Command::check || line.command == Command::rules;
    if (has_output && line.outputs.empty()) return "no output";
    for (const Output& output : line.outputs)
        if (output.kind == nullptr) return "an output without a kind";
    if (line.command == Command::check && line.files.empty() && line.file_lists.empty()) return "check without a file";
    if (line.command == Command::dump && line.files.size() != 1) return "dump without exactly one file";
    if (line.command == Command::dump && line.dump_kind == nullptr) return "dump without a kind of output";
    if (line.selection.first > line.selection.last) return "dump of no record";
    if (line.command == Command::generate && line.format == nullptr) return "generate without a format";
    if (line.jobs == 0) return "the number of jobs is 0";
    const std::vector<const Rule*> rules = all_rules();
    const auto is_selected = [&](const Rule* rule) { return line.filter.selects(*rule); };
    if (std::ranges::none_of(rules, is_selected)) return "the selection excludes every rule";
    if (line.command == Command::explain && line.rule == nullptr && std::ranges::all_of(rules, is_selected))
        return "explain without a rule or a prefix";
    return std::nullopt;
}

inline Complaint command_line(const std::vector<std::string>& words) {
    const Parsed parsed = parse_command_line(words);
    if (!parsed.error.empty()) {
        if (!parsed.answer.empty()) return "both an answer and an error: " + parsed.error;
        return printable(parsed.error) == parsed.error
                   ? Complaint{}
                   : "the error message has unprintable characters: " + parsed.error;
    }
    return parsed.answer.empty() ? usable(parsed.command_line) : Complaint{};
}

}  // namespace tracelint
