// The options of a command as plain data, for manual pages and shell completions.
#pragma once

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
    OptionValue(const Name& called) : name(called) {}  // NOLINT(google-explicit-constructor): most have a name alone
    OptionValue(std::string called, const std::vector<std::string_view>& words)
        : name(std::move(called)), choices(words.begin(), words.end()) {}

    std::string name;
    std::vector<std::string> choices;
};

// Whether a configuration gives an option: by a key of its name, which may have an array, or by rule under severities.
enum class ConfigurationKey : uint8_t { none, one, several, severities };

// What else is known of an option than how to give it.
struct OptionFacts {
    ConfigurationKey key = ConfigurationKey::none;
    bool is_of_output = false;          // findings and their number do not depend on it
    std::string_view standard{};        // the word that says what holds without the option
    std::string_view key_doc{};         // what the schema of configurations says of it; empty: what help says
    std::string_view library{};         // the option of the library for C, C++ and Python; empty: there is none
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
};

// The words of a command line, without the names of program and command.
struct Arguments {
    std::vector<std::string> words;
    OptionTable* table = nullptr;  // set: parse nothing, and describe the options here
};

}  // namespace tracelint
