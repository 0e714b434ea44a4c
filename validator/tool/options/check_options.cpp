// What single options of check do.
#include "validator/tool/options/check_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/inputs/path_pattern.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

// Rules and prefixes of rules, separated by commas.
template <class Take>
void each_pattern(const std::string& option, const std::string& list, Take take) {
    for (size_t start = 0; start <= list.size();) {
        const size_t comma = std::min(list.find(',', start), list.size());
        const std::string pattern = list.substr(start, comma - start);
        require_rules(option, pattern);
        take(pattern);
        start = comma + 1;
    }
}

// The kind that a file with this name would have: that of html for "report.html"; null if none.
const WriterKind* kind_of_file(std::string_view name) {
    const size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? nullptr : writer_kind_of_ending(name.substr(dot + 1));
}

}  // namespace

void take_excluded(NamedInputs& inputs, const std::string& option, const std::string& word) {
    if (const std::string fault = PathPattern::fault_of(word); !fault.empty())
        refuse(fmt::format("{}: {}", option, fault));
    size_t size = word.size();
    for (const std::string& other : inputs.excluded) size += other.size();
    if (size > kMostGlobs) refuse(fmt::format("{}: all patterns have more than {}", option, byte_size(kMostGlobs)));
    inputs.excluded.push_back(word);
}

void take_shard(NamedInputs& inputs, const std::string&, const std::string& word) {
    inputs.shard = shard_of_word(word);
}

void take_fetched(NamedInputs& inputs, const std::string& option, const std::string& word) {
    if (word.empty()) refuse(option + ": folder name missing");
    inputs.fetched = word;
}

void take_max_seconds(RunLimits& limits, const std::string& option, const std::string& word) {
    constexpr uint64_t kMostSeconds = 1'000'000;
    limits.max_seconds = number_of(option, word);
    if (limits.max_seconds == 0 || limits.max_seconds > kMostSeconds)
        refuse(fmt::format("{}: expected 1 to {}", option, kMostSeconds));
}

void take_jobs(RunLimits& limits, const std::string&, const std::string& word) { limits.jobs = jobs_of(word); }

// "perf, llvm-xray@14, any, list".
void take_reader(Choices& choices, const std::string&, const std::string& word) {
    if (word == "list") {
        choices.list_readers = true;
        return;
    }
    const std::string name = word.substr(0, word.find('@'));
    if (name == "any" && word != name)
        refuse(
            fmt::format("--for: any has no version, but {} has one; name a reader: llvm-xray@14", quoted_word(word)));
    std::vector<std::string_view> names = reader_names();
    if (name != "any" && std::ranges::find(names, name) == names.end()) {
        names.push_back("any");
        refuse(fmt::format("--for: unknown reader {}; --for list shows those that are known{}", quoted_word(name),
                           did_you_mean(name, names)));
    }
    if (!choices.readers.add(word))
        refuse(fmt::format("--for: {} is known in version {}, not {}", name, known_versions(name),
                           quoted_word(word.substr(word.find('@') + 1))));
}

void take_output(Reporting& reporting, const std::string&, const std::string& word) {
    add_output(reporting.outputs, word);
}

void take_min_severity(Reporting& reporting, const std::string& option, const std::string& word) {
    take_word<kSeverityWords, &Reporting::min_severity>(reporting, option, word);
    reporting.notes |= reporting.min_severity == Severity::note;
}

// The number also applies to text output, whose default is lower.
void take_max_per_rule(Reporting& reporting, const std::string& option, const std::string& word) {
    take_number<&Reporting::max_per_rule>(reporting, option, word);
    reporting.shown_per_rule = reporting.max_per_rule;
}

void take_selected(RuleFilter& filter, const std::string& option, const std::string& word) {
    each_pattern(option, word, [&](std::string_view pattern) { filter.select(pattern); });
}

void take_ignored(RuleFilter& filter, const std::string& option, const std::string& word) {
    each_pattern(option, word, [&](std::string_view pattern) { filter.ignore(pattern); });
}

void take_severity(SeverityChoices& choices, const std::string& option, const std::string& word) {
    std::optional<Severity> severity;  // empty: --off
    for (const auto& [name, value] : kSeverityWords)
        if (option == fmt::format("--{}", name)) severity = value;
    each_pattern(option, word, [&](std::string_view pattern) { choices.choose(pattern, severity); });
}

std::vector<std::string> output_kinds() {
    std::vector<std::string> names;
    for (const WriterKind& kind : writer_kinds()) names.emplace_back(kind.name);
    return names;
}

void add_output(std::vector<Output>& outputs, const std::string& word) {
    const size_t equals = word.find('=');
    if (const WriterKind* kind = kind_of_file(word); equals == std::string::npos && kind != nullptr)
        refuse(fmt::format("--output: invalid value {}; expected KIND=FILE; did you mean '{}={}'?", quoted_word(word),
                           kind->name, printable(word)));
    std::vector<std::string_view> kinds;
    for (const WriterKind& kind : writer_kinds()) kinds.push_back(kind.name);
    Output output{&writer_kinds()[choice_of("--output", word.substr(0, equals), kinds)], {}};
    if (equals != std::string::npos) {
        output.file = word.substr(equals + 1);
        if (output.file.empty()) refuse(fmt::format("--output: file name missing after {}", quoted_word(word)));
        if (output.file == "-") output.file.clear();
    }
    if (std::ranges::any_of(outputs, [&](const Output& other) { return other.file == output.file; }))
        refuse(fmt::format("--output: more than one output to {}",
                           output.file.empty() ? "standard output" : quoted_word(output.file)));
    outputs.push_back(std::move(output));
}

void add_options(OptionParser& parser, Settings& settings) {
    const OptionFacts& facts = std::get<FormatOptions>(kCheckOptions).facts;
    for (const Option* option : all_options()) {
        const std::string name = fmt::format("--{}", option->name);
        const std::string doc =
            fmt::format("{} (default {}): {}", either_of(option->choices), option->choices[0], option->doc);
        parser.option(
            name, {"CHOICE", {option->choices.begin(), option->choices.end()}}, doc,
            [&settings, option, name](const std::string& word) {
                settings.set(*option, choice_of(name, word, option->choices));
            },
            facts, OptionGroup::checks);
    }
}

std::string kinds_help() {
    std::string text = "Kinds of output:\n";
    for (const WriterKind& kind : writer_kinds()) text += fmt::format("  {:<26}  {}\n", kind.name, doc_of(kind));
    return text;
}

}  // namespace tracelint
