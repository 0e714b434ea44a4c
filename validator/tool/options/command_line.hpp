// The command line as a plain struct. Parsing it has no other effects.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "validator/readers/reader_check.hpp"
#include "validator/tool/dump/renderer.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/options/option_table.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

struct Configuration;

enum class Command : uint8_t { check, rules, explain, dump, generate, baseline, merge };
// What is done with the baseline once the files are checked.
enum class BaselineUse : uint8_t {
    apply,    // known findings do not count
    compare,  // show how it differs from what was found
    update,   // change it to what was found
};
enum class Colour : uint8_t { when_terminal, always, never };

struct Output {
    const WriterKind* kind = nullptr;
    std::string file;  // empty: standard output
};

struct CommandLine {
    Command command = Command::check;
    std::vector<std::string> files;                     // check: as given; dump: one
    std::vector<std::string> file_lists;                // check: lists of files; "-" is standard input
    std::vector<std::string> beside;                    // check: files to be checked together with the others
    bool null_separated = false;                        // the names in the lists end in NULs, not newlines
    std::string manifest;                               // check: "-" is standard input; empty: there is none
    Shard shard;                                        // check: of the manifest
    bool redo = false;                                  // check: a shard is checked although its part is there
    std::string fetched;                                // check: a folder with the files of URLs; empty: there is none
    uint64_t max_seconds = 0;                           // check: of a file of the manifest; 0: any time
    std::string finding_options;                        // check: what findings depend on, as an object of JSON
    std::vector<std::string> parts;                     // merge
    std::string expected_manifest;                      // merge: a file; empty: any manifest
    bool partial = false;                               // merge: shards may be missing
    bool exit_zero = false;                             // findings do not make the exit status 1
    std::vector<std::string> excluded;                  // check: patterns of inputs that are left out
    bool excluded_by_configuration = false;             // the patterns are relative to its folder
    std::vector<Output> outputs;                        // check: at least one; rules: one, text or json
    const Format* as = nullptr;                         // null: recognise the format
    const Format* expect = nullptr;                     // null: any format
    std::optional<Severity> fail_on = Severity::error;  // empty: never
    Severity min_severity = Severity::note;
    RuleFilter filter;
    SeverityChoices severities;
    std::vector<const TraceReader*> readers;  // check: whose findings matter; empty: all findings do
    size_t max_per_rule = kShownPerRule;
    Limits limits;
    Settings settings;  // the choices for the grammars' options
    unsigned jobs = 1;
    bool quiet = false;
    bool statistics = false;
    bool notes = false;    // show every note in text output
    bool summary = false;  // one line for each file in text output
    Colour colour = Colour::when_terminal;
    std::string configuration_file;  // empty: the nearest one
    bool no_configuration = false;
    bool show_configuration = false;
    bool list_readers = false;
    std::shared_ptr<const Configuration> configuration;  // null: there is none

    std::string baseline;  // a file; empty: there is none
    bool strict_baseline = false;
    BaselineUse baseline_use = BaselineUse::apply;
    bool accept_new = false;     // update: the baseline may grow
    bool has_all_files = false;  // update: entries with wildcards are for no other files
    std::string reason;          // update: of the entries that are added

    const DumpKind* dump_kind = nullptr;  // dump
    Selection selection;                  // dump

    const Rule* rule = nullptr;  // explain, null: list what `filter` selects; generate: the rule to violate, or null
    const Format* format = nullptr;  // generate
    uint64_t seed = 1;
    uint64_t size = 4096;     // bytes
    std::string generate_to;  // empty: standard output

    // Whether ndjson files are parts of a fleet's results.
    bool makes_parts() const { return command == Command::merge || !manifest.empty(); }
};

struct Parsed {
    CommandLine command_line;
    std::string answer;  // to print before exiting with success: help, version or configuration
    std::string error;   // what is wrong with the command line; empty if nothing is
};

// `arguments` without the program's name. What the configuration says of options comes before them. Throws only
// std::bad_alloc.
Parsed parse_command_line(std::vector<std::string> arguments,
                          std::shared_ptr<const Configuration> configuration = nullptr);

// The commands, to suggest one for a misspelt command, which is taken for a file.
std::span<const std::string_view> command_names();

// The options of one of these commands.
OptionTable options_of(std::string_view command);

}  // namespace tracelint
