// What the commands rely on in the options that they are given.
#include "fuzz/tool/command_line_oracle.hpp"

#include <algorithm>

#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {
namespace {

Complaint outputs_usable(const std::vector<Output>& outputs) {
    for (const Output& output : outputs)
        if (output.kind == nullptr) return "an output without a kind";
    return std::nullopt;
}
Complaint filter_usable(const RuleFilter& filter) {
    const std::vector<const Rule*> rules = all_rules();
    const bool selects_any = std::ranges::any_of(rules, [&](const Rule* rule) { return filter.selects(*rule); });
    return selects_any ? Complaint{} : "the selection excludes every rule";
}
Complaint usable(const CheckLine& line) {
    const NamedInputs& inputs = line.inputs;
    // `baseline` prints the differences instead.
    const bool needs_output = line.baseline.use == BaselineChoice::Use::apply;
    if (needs_output && line.reporting.outputs.empty()) return "no output";
    if (inputs.files.empty() && inputs.lists.names.empty() && inputs.manifest.empty()) return "check without a file";
    if (line.limits.jobs == 0) return "the number of jobs is 0";
    if (const Complaint complaint = outputs_usable(line.reporting.outputs)) return complaint;
    return filter_usable(line.choices.filter);
}
Complaint usable(const RulesLine& line) {
    if (line.output.kind == nullptr) return "an output without a kind";
    return filter_usable(line.filter);
}
Complaint usable(const ExplainLine& line) {
    if (line.rules.empty()) return "explain without a rule or a part of one's id";
    const std::vector<const Rule*> rules = all_rules();
    const auto is_one = [&](const Rule* rule) { return std::ranges::find(rules, rule) != rules.end(); };
    return std::ranges::all_of(line.rules, is_one) ? Complaint{} : "explain has a rule that is none";
}
Complaint usable(const DumpLine& line) {
    if (line.file.empty() || line.kind == nullptr) return "dump without a file or a kind of output";
    if (line.writes_bytes && !line.selection.field.is_given()) return "dump of the bytes of no field";
    return line.selection.first > line.selection.last ? Complaint("dump of no record") : std::nullopt;
}
Complaint usable(const FilesChoice& files) {
    if (files.count == 0) return "no file to write";
    return files.violated != nullptr && files.violates_all ? Complaint("one rule and all") : std::nullopt;
}
Complaint usable(const GenerateLine& line) {
    if (line.format == nullptr) return "generate without a format";
    if (line.fills_folder() && line.files.out.empty()) return "generate without a folder to write to";
    return usable(line.files);
}
Complaint usable(const MutateLine& line) {
    if ((line.format == nullptr) == line.file.empty()) return "mutate without a file or a format, or with both";
    if (line.files.out.empty()) return "mutate without a folder to write to";
    return usable(line.files);
}
Complaint usable(const DictionaryLine& line) {
    return line.format == nullptr ? Complaint("dictionary without a format") : std::nullopt;
}
Complaint usable(const DescribeLine& line) {
    return line.format == nullptr ? Complaint("describe without a format") : std::nullopt;
}
Complaint usable(const ConformLine& line) {
    if (line.words.empty() || line.jobs == 0 || line.seconds == 0) return "conform without a command, jobs or time";
    return line.output.kind == nullptr ? Complaint("an output without a kind") : std::nullopt;
}
Complaint usable(const MergeLine& line) {
    if (line.parts.empty() && line.lists.names.empty()) return "merge without a part";
    return line.reporting.outputs.empty() ? Complaint("no output") : outputs_usable(line.reporting.outputs);
}
Complaint usable(const SalvageLine& line) {
    if (line.file.empty() || line.new_file.empty()) return "salvage without a file to read or to write";
    return line.output.kind == nullptr ? Complaint("an output without a kind") : std::nullopt;
}
Complaint usable(const Shrinking& shrinking) {
    return shrinking.file.empty() || shrinking.rule == nullptr ? Complaint("no file or no rule") : std::nullopt;
}
Complaint usable(const ShrinkLine& line) {
    if (line.new_file.empty() || line.output.kind == nullptr)
        return "shrink without a file to write or a kind of output";
    return usable(line.shrinking);
}
Complaint usable(const ReportLine& line) { return usable(line.shrinking); }

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const size_t end = std::min(text.find_first_of(std::string_view("\n\0", 2)), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

Complaint command_line(const std::vector<std::string>& words) {
    const Parsed parsed = parse_command_line(words);
    if (!parsed.error.empty()) {
        if (!parsed.answer.empty()) return "both an answer and an error: " + parsed.error;
        return printable(parsed.error) == parsed.error
                   ? Complaint{}
                   : "the error message has unprintable characters: " + parsed.error;
    }
    if (!parsed.answer.empty()) return std::nullopt;
    return std::visit([](const auto& line) { return usable(line); }, parsed.command_line);
}

}  // namespace tracelint
