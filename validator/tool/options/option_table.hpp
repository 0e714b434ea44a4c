// The options of a command as plain data, for manual pages and shell completions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracelint {

// The argument of an option: how help names it, and the words that it takes if there is a list of them.
// Completions know the names FILE, FORMAT and RULE.
struct OptionValue {
    template <class Name>
        requires std::is_convertible_v<Name, std::string>
    OptionValue(const Name& called) : name(called) {}  // NOLINT(google-explicit-constructor): most have only a name
    OptionValue(std::string called, const std::vector<std::string_view>& words)
        : name(std::move(called)), choices(words.begin(), words.end()) {}

    std::string name;
    std::vector<std::string> choices;
};

// Whether a configuration gives an option: by a key of its name, which may have an array, or by rule under severities.
enum class ConfigurationKey : uint8_t { none, one, several, severities };

// What a person wants of an option. Help and manual list options by group, in this order.
enum class OptionGroup : uint8_t {
    command,  // the options of one command
    inputs,
    checks,
    report,
    severities,
    status,
    readers,
    limits,
    fleets,
    configuration,
    help,
};
inline constexpr std::pair<OptionGroup, std::string_view> kOptionGroups[] = {
    {OptionGroup::command, "Options"},
    {OptionGroup::inputs, "Inputs"},
    {OptionGroup::checks, "What is checked"},
    {OptionGroup::report, "What is shown"},
    {OptionGroup::severities, "Severities"},
    {OptionGroup::status, "Exit status"},
    {OptionGroup::readers, "Readers, and files that belong together"},
    {OptionGroup::limits, "Limits"},
    {OptionGroup::fleets, "Fleets"},
    {OptionGroup::configuration, "Configuration"},
    {OptionGroup::help, "Help"},
};

// The properties of an option beside its names, its value and its help.
struct OptionFacts {
    ConfigurationKey key = ConfigurationKey::none;
    bool is_of_output = false;          // findings and their number do not depend on it
    std::string_view standard{};        // the word that says what holds without the option
    std::string_view key_doc{};         // what the schema of configurations says of it; empty: what help says
    std::string_view library{};         // the option of the library for C, C++ and Python; empty if absent
    bool is_in_npm = !library.empty();  // the npm package lists it among its options
};

// An option, or a positional argument, which has no names.
struct OptionRow {
    std::vector<std::string> names;  // "-j", "--jobs"
    std::string value;               // empty for a flag
    std::string doc;
    std::vector<std::string> choices;
    bool is_many = false;  // a positional argument that may be given any number of times, or not at all
    OptionFacts facts{};
    OptionGroup group = OptionGroup::command;

    // The last name, without dashes: "jobs".
    std::string_view name() const {
        const std::string_view last = names.back();
        return last.substr(last.find_first_not_of('-'));
    }
};

struct OptionTable {
    std::string program;      // "tracelint dump"
    std::string description;  // one sentence
    std::vector<OptionRow> options;
    std::vector<OptionRow> positionals;
    std::vector<std::string> subcommands{};  // one of them is the first word after the command: update, check

    // The group under which an option is listed. A command without options of check has only one.
    OptionGroup group_of(const OptionRow& row) const {
        const auto is_shared = [](const OptionRow& one) {
            return one.group != OptionGroup::command && one.group != OptionGroup::help;
        };
        return std::ranges::any_of(options, is_shared) ? row.group : OptionGroup::command;
    }
};

// The words of a command line, without the names of program and command.
struct Arguments {
    std::vector<std::string> words;
    OptionTable* table = nullptr;  // set: parse nothing, and describe the options here
};

}  // namespace tracelint
