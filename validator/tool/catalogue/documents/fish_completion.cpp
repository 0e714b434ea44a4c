// Completions for fish, with descriptions. fish searches within words, so rules are offered as one list.
#include <fmt/core.h>

#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/tool/catalogue/documents/manual.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

std::string fish_word(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

// A function that prints words with their descriptions.
std::string list_function(std::string_view name, const std::vector<std::pair<std::string, std::string>>& words) {
    std::string text = fmt::format("\nfunction __tracelint_{}\n    printf '%s\\t%s\\n'", name);
    for (const auto& [word, description] : words)
        text += fmt::format(" \\\n        {} {}", fish_word(word), fish_word(description));
    return text + "\nend\n";
}

// What completes an argument, as options of `complete`.
std::string fish_action(const OptionRow& row) {
    switch (argument_kind(row)) {
        case ArgumentKind::words: return fmt::format(" -x -a '{}'", words_of(row.choices));
        case ArgumentKind::output: return fmt::format(" -x -a '(__tracelint_output {})'", words_of(row.choices));
        case ArgumentKind::file: return " -r -F";
        case ArgumentKind::format: return " -x -a '(__tracelint_formats)'";
        case ArgumentKind::rules: return " -x -a '(__fish_complete_list , __tracelint_rules)'";
        case ArgumentKind::free: return " -x";
        case ArgumentKind::none: break;
    }
    return "";
}

std::string names_of(const OptionRow& row) {
    std::string text;
    for (const std::string& name : row.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return text;
}

constexpr std::string_view kFishOutput = R"fish(
# A kind of output, or a file after '='.
function __tracelint_output
    set -l kind (commandline -ct | string replace -r '^--output=' '' | string match -r '^[a-z]+=')
    if test -n "$kind"
        set -l path (commandline -ct | string replace -r '^(--output=)?[a-z]+=' '')
        printf "$kind%s\n" (complete -C "__tracelint_no_command $path")
    else
        printf '%s\n' $argv
    end
end
)fish";

}  // namespace

std::string fish_completion() {
    const std::vector<CommandEntry> commands = command_table();
    std::string names;
    for (const CommandEntry& command : commands) names.append(command.name).append(" ");
    std::string text = fmt::format(
        "# fish completion for tracelint, generated from its tables.\n\n"
        "# Whether the command line has this command; check if it has none.\n"
        "function __tracelint_is\n    set -l words (commandline -opc)\n    set -l command check\n"
        "    contains -- \"$words[2]\" {0}help; and set command $words[2]\n    test $command = $argv[1]\nend\n\n"
        "# Whether the word after the command is to be completed.\n"
        "function __tracelint_is_second\n    test (count (commandline -opc)) -eq 2; and __tracelint_is $argv\nend\n\n"
        "# Whether no word follows the program yet.\n"
        "function __tracelint_is_first\n    test (count (commandline -opc)) -eq 1\nend\n",
        names);
    std::vector<std::pair<std::string, std::string>> rules, known;
    for (const RuleGroup& group : rule_groups()) {
        rules.emplace_back(group.prefix, "all rules of: " + group.title);
        for (const Rule* rule : group.rules) rules.emplace_back(rule->id, rule->statement);
    }
    for (const Format* format : formats()) known.emplace_back(format->id, format->title);
    text += list_function("rules", rules) + list_function("formats", known) + std::string(kFishOutput) + '\n';
    for (const CommandEntry& command : commands)
        text += fmt::format("complete -c tracelint -n __tracelint_is_first -a {} -d {}\n", command.name,
                            fish_word(command.phrase));
    text += "complete -c tracelint -n __tracelint_is_first -a help -d 'print the options and commands'\n";
    for (const CommandEntry& command : commands) {
        text += '\n';
        const std::string start = fmt::format("complete -c tracelint -n '__tracelint_is {}'", command.name);
        if (!command.table.subcommands.empty())
            text += fmt::format("complete -c tracelint -n '__tracelint_is_second {}' -f -a '{}'\n", command.name,
                                words_of(command.table.subcommands));
        const std::vector<OptionRow>& positionals = command.table.positionals;
        if (positionals.empty() || argument_kind(positionals[0]) != ArgumentKind::file) text += start + " -f\n";
        for (const OptionRow& row : positionals)
            if (argument_kind(row) != ArgumentKind::file) text += start + fish_action(row) + '\n';
        for (const OptionRow& row : command.table.options)
            text += start + names_of(row) + fish_action(row) + " -d " + fish_word(row.doc) + '\n';
    }
    return text;
}

}  // namespace tracelint
