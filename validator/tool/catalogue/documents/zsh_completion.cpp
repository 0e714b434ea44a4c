// Completions for zsh, with descriptions.
#include <fmt/core.h>

#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/tool/catalogue/documents/manual.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

// `text` with a backslash before each character of `special`, for a string in single quotes.
std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (special.find(c) != special.npos)
            out.append("\\").append(1, c);
        else
            out += c;
    }
    return out;
}

// A word with its description, for _describe.
std::string described(std::string_view word, std::string_view description) {
    return fmt::format("'{}:{}'", word, escaped(description, "\\"));
}

// What completes an argument, as the last part of a specification of _arguments.
std::string zsh_action(const OptionRow& row) {
    switch (argument_kind(row)) {
        case ArgumentKind::words: return fmt::format("({})", words_of(row.choices));
        case ArgumentKind::output: return fmt::format("_tracelint_output {}", words_of(row.choices));
        case ArgumentKind::file: return "_files";
        case ArgumentKind::format: return "_tracelint_formats";
        case ArgumentKind::rules: return "_tracelint_rules";
        case ArgumentKind::free:
        case ArgumentKind::none: break;
    }
    return " ";
}

std::string zsh_rules_function() {
    std::string text =
        "# Rules and their prefixes: first the prefixes, then the rules of one.\n_tracelint_rules() {\n"
        "    local -a rules prefixes\n    compset -P '*,'\n    case $PREFIX in\n";
    std::string prefixes;
    for (const RuleGroup& group : rule_groups()) {
        text += fmt::format("        {}*) rules=(\n", group.prefix);
        for (const Rule* rule : group.rules)
            text += fmt::format("            {}\n", described(rule->id, rule->statement));
        text += "        ) ;;\n";
        prefixes += fmt::format("            {}\n", described(group.prefix, group.title));
    }
    text += fmt::format("        *) prefixes=(\n{}        )\n", prefixes);
    return text +
           "            _describe -t prefixes 'rules of' prefixes -S ''\n            return ;;\n    esac\n"
           "    _describe -t rules rule rules\n}\n";
}

std::string formats_function() {
    std::string text = "\n_tracelint_formats() {\n    local -a formats=(\n";
    for (const Format* format : formats()) text += fmt::format("        {}\n", described(format->id, format->title));
    return text + "    )\n    _describe -t formats format formats\n}\n";
}

// An option as a specification of _arguments, once for each of its names.
std::string specification(const OptionRow& row) {
    std::string text;
    for (const std::string& name : row.names) {
        const std::string help = escaped(row.doc, "\\[]:");
        if (row.value.empty())
            text += fmt::format("        '{}[{}]' \\\n", name, help);
        else
            text += fmt::format("        '*{}{}[{}]:{}:{}' \\\n", name, name.starts_with("--") ? "=" : "+", help,
                                escaped(row.value, "\\:"), zsh_action(row));
    }
    return text;
}

std::string command_function(const CommandEntry& command) {
    std::string text = fmt::format("\n_tracelint_command_{}() {{\n    _arguments -s -S \\\n", command.name);
    for (const OptionRow& row : command.table.options) text += specification(row);
    if (!command.table.subcommands.empty())
        text += fmt::format("        '1:subcommand:({})' \\\n", words_of(command.table.subcommands));
    for (const OptionRow& row : command.table.positionals)
        text +=
            fmt::format("        '{}:{}:{}' \\\n", row.is_many ? "*" : "1", escaped(row.doc, "\\:"), zsh_action(row));
    return text + "        && return 0\n    return 1\n}\n";
}

constexpr std::string_view kZshOutput = R"zsh(
# A kind of output, or a file after '='.
_tracelint_output() {
    if compset -P '*='; then
        _files
    else
        compadd -S '' -- $@
    fi
}
)zsh";

}  // namespace

std::string zsh_completion() {
    const std::vector<CommandEntry> commands = command_table();
    std::string text = "#compdef tracelint\n# Generated from tracelint's tables.\n\n" + zsh_rules_function() +
                       formats_function() + std::string(kZshOutput);
    std::string list, patterns;
    for (const CommandEntry& command : commands) {
        text += command_function(command);
        list += fmt::format("        {}\n", described(command.name, command.phrase));
        patterns.append(patterns.empty() ? "" : "|").append(command.name);
    }
    text += fmt::format(
        "\n_tracelint() {{\n    local -a commands=(\n{}        'help:print the options and commands'\n"
        "    )\n    local ret=1\n"
        "    if (( CURRENT > 2 )) && [[ $words[2] == ({}) ]]; then\n"
        "        local command=$words[2]\n        shift words\n        (( CURRENT-- ))\n"
        "        _tracelint_command_$command\n        return\n    fi\n"
        "    (( CURRENT == 2 )) && [[ $PREFIX != -* ]] && _describe -t commands command commands && ret=0\n"
        "    _tracelint_command_check && ret=0\n    return ret\n}}\n\n_tracelint \"$@\"\n",
        list, patterns);
    return text;
}

}  // namespace tracelint
