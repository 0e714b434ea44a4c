// Completions for bash. They need nothing of the package bash-completion.
#include <fmt/core.h>

#include "validator/tool/catalogue/documents/command_table.hpp"
#include "validator/tool/catalogue/documents/manual.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kStart = R"bash(# bash completion for tracelint, generated from its tables.

# Completes $value with words, and skips the items before the last comma of a list.
_tracelint_words()
{
    local list=
    [[ $1 != list ]] || { [[ $value != *,* ]] || list=${value%,*},; shift; }
    mapfile -t COMPREPLY < <(compgen -P "$list" -W "$1" -- "${value#"$list"}")
}

# Names, or versions after '@'.
_tracelint_versions()
{
    if [[ $value == *@* ]]; then _tracelint_words "$2"; else _tracelint_words "$1"; fi
}

_tracelint_files()
{
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$value")
}

# Rules and their prefixes: first the prefixes, then the rules of one.
_tracelint_rules()
{
    compopt -o nospace
    case ${value##*,} in
)bash";

constexpr std::string_view kEnd = R"bash(
_tracelint()
{
    local commands=")bash";

// Between the list of commands and that of options: words as the user typed them, as bash splits them at '=' and '@'.
constexpr std::string_view kWords = R"bash("
    local typed=() word rest line=$COMP_LINE i
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]} rest=${line#"${line%%[![:space:]]*}"}
        if ((${#typed[@]} > 1)) && [[ $rest == "$line" ]]; then
            typed[-1]+=$word
        else
            typed+=("$word")
        fi
        line=${rest#"$word"}
    done
    typed=("${typed[@]:1}")

    local count=${#typed[@]} command=check option= value=${typed[-1]} before=
    if ((count > 1)) && [[ " $commands " == *" ${typed[0]} "* ]]; then
        command=${typed[0]}
    fi
    if [[ $value == --*=* ]]; then
        option=${value%%=*} before=${value%%=*}= value=${value#*=}
    elif ((count > 1)) && [[ ${typed[-2]} == -?* ]]; then
        option=${typed[-2]}
    fi

    COMPREPLY=()
    _tracelint_option || _tracelint_argument

    # bash replaces what follows the last '=', unless it was told not to split there.
    if [[ $COMP_WORDBREAKS == *=* ]]; then
        before=
        [[ $value != *=* ]] || for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#*=}; done
    fi
    # What it completes after an '@' begins with that.
    if [[ $COMP_WORDBREAKS == *@* && $value == *@* ]]; then
        before=
        for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=@${COMPREPLY[i]##*@}; done
    fi
    [[ -z $before ]] || COMPREPLY=("${COMPREPLY[@]/#/$before}")
}
complete -F _tracelint tracelint
)bash";

std::string format_words() {
    std::vector<std::string> words;
    for (const Format* format : formats()) words.emplace_back(format->id);
    return words_of(words);
}

std::string words_action(const std::vector<std::string>& words) {
    std::vector<std::string> names = words;
    std::erase_if(names, [](const std::string& word) { return word.find('@') != word.npos; });
    if (names.size() == words.size()) return fmt::format("_tracelint_words '{}'", words_of(words));
    return fmt::format("_tracelint_versions '{}' '{}'", words_of(names), words_of(words));
}

// What completes an argument.
std::string bash_action(const OptionRow& row) {
    switch (argument_kind(row)) {
        case ArgumentKind::words: return words_action(row.choices);
        case ArgumentKind::output: return fmt::format("_tracelint_output '{}'", words_of(row.choices));
        case ArgumentKind::file: return "_tracelint_files";
        case ArgumentKind::format: return fmt::format("_tracelint_words '{}'", format_words());
        case ArgumentKind::rules: return "_tracelint_rules";
        case ArgumentKind::free: return ":";
        case ArgumentKind::none: break;
    }
    return "";
}

std::string bash_rules_function() {
    std::string text(kStart), prefixes;
    for (const RuleGroup& group : rule_groups()) {
        std::string ids;
        for (const Rule* rule : group.rules) ids.append(ids.empty() ? "" : " ").append(rule->id);
        text += fmt::format("        {}*) _tracelint_words list '{}' ;;\n", group.prefix, ids);
        prefixes += (prefixes.empty() ? "" : " ") + group.prefix;
    }
    return text + fmt::format("        *) _tracelint_words list '{}' ;;\n    esac\n}}\n", prefixes);
}

constexpr std::string_view kBashOutput = R"bash(
# A kind of output, or a file after '='.
_tracelint_output()
{
    if [[ $value == *=* ]]; then
        local kind=${value%%=*}= value=${value#*=}
        _tracelint_files
        COMPREPLY=("${COMPREPLY[@]/#/$kind}")
    else
        compopt -o nospace
        _tracelint_words "$1"
    fi
}

# The argument of $option; fails if it takes none.
_tracelint_option()
{
    case "$command $option" in
)bash";

std::string option_function(const std::vector<CommandEntry>& commands) {
    std::string text(kBashOutput);
    for (const CommandEntry& command : commands) {
        for (const OptionRow& row : command.table.options) {
            if (row.value.empty()) continue;
            std::string patterns;
            for (const std::string& name : row.names)
                patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : "|", command.name, name);
            text += fmt::format("        {}) {} ;;\n", patterns, bash_action(row));
        }
    }
    return text + "        *) return 1 ;;\n    esac\n}\n";
}

// What is neither an option nor its argument.
std::string argument_function(const std::vector<CommandEntry>& commands) {
    std::string text = R"bash(
_tracelint_argument()
{
    case "$command $value" in
)bash";
    for (const CommandEntry& command : commands) {
        std::vector<std::string> names;
        for (const OptionRow& row : command.table.options)
            names.insert(names.end(), row.names.begin(), row.names.end());
        text += fmt::format("        '{} -'*) _tracelint_words '{}' ;;\n", command.name, words_of(names));
    }
    for (const CommandEntry& command : commands)
        if (!command.table.subcommands.empty())
            text += fmt::format("        '{} '*) if ((count == 2)); then _tracelint_words '{}'; else {}; fi ;;\n",
                                command.name, words_of(command.table.subcommands),
                                bash_action(command.table.positionals[0]));
    for (const CommandEntry& command : commands) {
        std::string actions;  // of one argument or another: options before it make its number unknown
        for (const OptionRow& row : command.table.positionals)
            actions += (actions.empty() ? "" : "; ") + bash_action(row);
        if (!actions.empty()) text += fmt::format("        '{} '*) {} ;;\n", command.name, actions);
    }
    text += R"bash(    esac
    if ((count == 1)) && [[ $value != -* ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$commands" -- "$value")
    fi
}
)bash";
    return text;
}

}  // namespace

std::string bash_completion() {
    const std::vector<CommandEntry> commands = command_table();
    std::string names;
    for (const CommandEntry& command : commands) names.append(command.name).append(" ");
    return bash_rules_function() + option_function(commands) + argument_function(commands) + std::string(kEnd) + names +
           "help" + std::string(kWords);
}

}  // namespace tracelint
