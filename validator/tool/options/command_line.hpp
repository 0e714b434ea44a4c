// The command line as plain structs, one for each command. Parsing it has no other effects.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "validator/generator/file_traits.hpp"
#include "validator/input/container.hpp"
#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/options/check_options.hpp"

namespace tracelint {

// `check`, and `baseline`, which also checks files.
struct CheckLine {
    NamedInputs inputs;
    Choices choices;
    RunLimits limits;
    Reporting reporting;
    BaselineChoice baseline;
    ConfigurationChoice configuration;
    std::string finding_options;  // with a manifest: what findings depend on, as an object of JSON
};

struct RulesLine {
    Output output;
    RuleFilter filter;
};

struct ExplainLine {
    std::vector<const Rule*> rules;  // one: explain it; else: list them
};

struct DumpLine {
    std::string file;  // "-" is standard input
    const DumpKind* kind = nullptr;
    Selection selection;
    bool writes_bytes = false;              // --bytes: those of the selected field, in place of `kind`
    std::string new_file;                   // empty: standard output
    Colour colour = Colour::when_terminal;  // of text
    Recognition recognition;
    Limits limits;
    Settings settings;
};

// What generate and mutate write.
struct FilesChoice {
    uint64_t seed = 1;
    uint64_t size = 4096;            // bytes of a generated file
    FileTraits traits;               // of generated files
    std::optional<uint64_t> count;   // of files, with violations for each rule
    const Rule* violated = nullptr;  // null: none, or all
    bool violates_all = false;
    Container container = Container::none;
    bool lists_expected = false;  // --expected
    Limits limits;
    std::string out;  // a folder, or of generate a file; empty: standard output

    bool violates() const { return violated != nullptr || violates_all; }
};

struct GenerateLine {
    const Format* format = nullptr;
    FilesChoice files;

    // Whether a folder is filled; otherwise there is one file.
    bool fills_folder() const { return files.count.has_value() || files.violates_all; }
};

struct MutateLine {
    const Format* format = nullptr;  // of generated files; null: `file` is mutated
    std::string file;                // "-" is standard input
    FilesChoice files;
    Recognition recognition;
    Settings settings;
};

struct DictionaryLine {
    const Format* format = nullptr;
};

struct MergeLine {
    std::vector<std::string> parts;
    FileLists lists;                // of parts
    std::string expected_manifest;  // a file; empty: any manifest
    bool partial = false;           // shards may be missing
    Reporting reporting;
};

struct SalvageLine {
    std::string file;
    std::string new_file;
    Output output;  // of what was done
    Recognition recognition;
    Limits limits;
    Settings settings;
};

// What a shrunk file keeps, and how long it is looked for.
struct Shrinking {
    std::string file;
    const Rule* rule = nullptr;
    std::optional<uint64_t> offset;  // where the finding begins; empty: any finding of the rule
    uint64_t max_seconds = 300;
    Recognition recognition;
    Limits limits;
    Settings settings;
};

struct ShrinkLine {
    Shrinking shrinking;
    std::string new_file;
    bool redacts = false;
    Output output;  // of what was done
};

struct ReportLine {
    Shrinking shrinking;
    std::string new_file;  // the report; empty: standard output
};

struct DescribeLine {
    const Format* format = nullptr;
    const DescriptionKind* kind = nullptr;
};

struct ConformLine {
    std::string command;                  // as given
    std::vector<std::string> words;       // of the command; "{}" stands for the file
    const Format* format = nullptr;       // null: all
    std::string corpus;                   // a folder; empty: the corpus in the program
    uint64_t seconds = 10;                // for each file
    uint64_t memory = uint64_t{4} << 30;  // bytes of address space; 0: no limit
    std::vector<int> crash_statuses;
    bool without_sandbox = false;  // otherwise with what the system has of one
    unsigned jobs = 0;             // set by the parser
    Output output;
};

using CommandLine = std::variant<CheckLine, RulesLine, ExplainLine, DumpLine, GenerateLine, MergeLine, SalvageLine,
                                 ShrinkLine, ReportLine, MutateLine, DictionaryLine, ConformLine, DescribeLine>;

struct Parsed {
    CommandLine command_line;
    std::string answer;  // to print before exiting with success: help, version or configuration
    std::string error;   // what is wrong with the command line; empty if nothing is
};

// `arguments` without the program's name. What the configuration says of options comes before them. Throws only
// std::bad_alloc.
Parsed parse_command_line(std::vector<std::string> arguments,
                          std::shared_ptr<const Configuration> configuration = nullptr);

// The commands, to suggest one for a misspelt command, which looks like a file.
std::span<const std::string_view> command_names();
// "; did you mean 'tracelint explain'?" for a word that is not a file, and may be meant as a command; empty if not.
std::string guess_command(std::string_view word);

// The options of one of these commands.
OptionTable options_of(std::string_view command);

}  // namespace tracelint
