// The commands as manual pages and completions see them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/tool/options/option_table.hpp"

namespace tracelint {

// What the argument of an option or a positional argument is.
enum class ArgumentKind {
    none,    // a flag
    words,   // one of the row's choices
    output,  // one of the row's choices, and a file after '='
    file,
    format,
    rules,  // ids and prefixes, separated by commas
    free,   // a number, a size or whatever else cannot be completed
};

// By the name of the argument and its choices.
ArgumentKind argument_kind(const OptionRow& row);

struct CommandEntry {
    std::string_view name;      // "dump"
    std::string_view phrase;    // what it does: "print the records of a trace"
    std::string_view prose;     // mdoc: the description on its manual page
    std::string_view examples;  // mdoc
    std::string_view statuses;  // mdoc: the items of its exit statuses
    OptionTable table;
};

// The words with a blank between them.
std::string words_of(const std::vector<std::string>& words);

// All commands but help. The first is check, which is also what runs without a command. Throws std::logic_error if the
// command line has a command that nothing describes.
std::vector<CommandEntry> command_table();

// The engine's rules, then those of each grammar, by prefix ("jitdump/") in the order of the catalogue.
struct RuleGroup {
    std::string prefix;
    std::string title;
    std::vector<const struct Rule*> rules;
};
std::vector<RuleGroup> rule_groups();

}  // namespace tracelint
