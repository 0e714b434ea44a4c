// The options of `check`: the parts of its command line, and the one table of options that fill the parts. Other
// commands share some parts, and with them their options. Help, manual, completions, the configuration and its schema
// are generated from the table, and tests compare the option lists of the bindings with it. To add an option, add a
// member to a part and a row to the table, and write the code that uses the member.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "validator/readers/chosen_readers.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/options/option_words.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

struct Configuration;

struct Output {
    const WriterKind* kind = nullptr;
    std::string file;  // empty: standard output
};

struct FileLists {
    std::vector<std::string> names;  // of lists of files; "-" is standard input
    bool null_separated = false;     // what is in them, or in the manifest, ends in NULs, not newlines
};

struct NamedInputs {
    std::vector<std::string> files;  // as given
    FileLists lists;
    std::vector<std::string> beside;         // files to be checked together with the others
    std::set<std::string> found_beside{};    // those that were not named, but found in a folder
    bool no_pair = false;                    // nothing is looked for that belongs to a recording
    std::string manifest;                    // "-" is standard input; empty if absent
    Shard shard;                             // of the manifest
    bool redo = false;                       // a shard is checked although its part is there
    bool follow = false;                     // the files are checked while they are written
    uint64_t idle_seconds = 0;               // following ends when nothing was written for so long; 0: it does not
    std::string fetched;                     // a folder with the files of URLs; empty if absent
    std::vector<std::string> excluded;       // patterns of inputs that are left out
    bool excluded_by_configuration = false;  // the patterns are relative to its folder
};

struct RunLimits {
    Limits of_file;
    uint64_t max_seconds = 0;  // of a file of the manifest; 0: any time
    unsigned jobs = 1;
};

struct Recognition {
    const Format* as = nullptr;  // null: recognise the format
};

// What is looked for. A configuration may say more of single files: choices_for().
struct Choices {
    Recognition recognition;
    const Format* expect = nullptr;  // null: any format
    ChosenReaders readers;           // whose findings matter; empty: all findings do
    bool list_readers = false;
    bool growing = false;  // the inputs are still being written
    RuleFilter filter;
    SeverityChoices severities;
    Settings settings;                                   // the choices for the grammars' options
    std::shared_ptr<const Configuration> configuration;  // null if absent
};

enum class Colour : uint8_t { when_terminal, always, never };

struct Reporting {
    std::vector<Output> outputs;
    std::optional<Severity> fail_on = Severity::error;  // empty: never
    bool exit_zero = false;                             // findings do not make the exit status 1
    Severity min_severity = Severity::note;
    bool notes = false;    // show every note in text output
    bool summary = false;  // one line for each file in text output
    size_t max_per_rule = kShownPerRule;
    size_t shown_per_rule = WriterOptions().shown_per_rule;  // in text output
    bool quiet = false;
    bool statistics = false;
    Colour colour = Colour::when_terminal;
};

struct BaselineChoice {
    // What is done with the baseline once the files are checked.
    enum class Use : uint8_t {
        apply,    // known findings do not count
        compare,  // show how it differs from what was found
        update,   // change it to what was found
    };
    Use use = Use::apply;
    std::string file;  // empty if absent
    bool strict = false;
    bool accept_new = false;     // update: the baseline may grow
    bool has_all_files = false;  // update: entries with wildcards are for no other files
    std::string reason;          // update: of the entries that are added
};

struct ConfigurationChoice {
    std::string file;  // empty: the nearest one
    bool is_off = false;
    bool is_shown = false;
};

// A row of the table: an option, and what it does to a part. `take` throws UsageError.
template <class Part>
struct PartOption {
    using Of = Part;

    std::string_view names;                         // "-j,--jobs"
    std::string_view value{};                       // how help names its word; empty: it is a flag
    std::vector<std::string> (*words)() = nullptr;  // those that it takes, if there is a list of them
    std::string_view doc;                           // for help; {} stands for the standard
    OptionGroup group = OptionGroup::command;
    OptionFacts facts{};
    bool Part::* flag = nullptr;
    void (*take)(Part& part, const std::string& option, const std::string& word) = nullptr;
};

// What many options do.
template <auto member, class Part>
void take_number(Part& part, const std::string& option, const std::string& word) {
    part.*member = number_of(option, word);
}
template <auto member, class Part>
void take_size(Part& part, const std::string& option, const std::string& word) {
    part.*member = size_of(option, word);
}
template <auto member, class Part>
void take_format(Part& part, const std::string&, const std::string& word) {
    part.*member = format_of(word);
}
template <auto member, class Part>
void take_text(Part& part, const std::string&, const std::string& word) {
    part.*member = word;
}
// One file; it must have a name.
template <auto member, class Part>
void take_file(Part& part, const std::string& option, const std::string& word) {
    require_file_name(option, word, !(part.*member).empty());
    part.*member = word;
}
// One of several files.
template <auto member, class Part>
void add_file(Part& part, const std::string& option, const std::string& word) {
    require_file_name(option, word, false);
    (part.*member).push_back(word);
}

// A word of an option, and what it stands for.
template <class Value>
struct Word {
    std::string_view word;
    Value value;
};
inline constexpr Word<Severity> kSeverityWords[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}};
inline constexpr Word<std::optional<Severity>> kFailOnWords[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}, {"never", std::nullopt}};
inline constexpr Word<Colour> kColourWords[] = {
    {"auto", Colour::when_terminal}, {"always", Colour::always}, {"never", Colour::never}};

template <auto& list>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const auto& one : list) words.emplace_back(one.word);
    return words;
}
template <auto& list, auto member, class Part>
void take_word(Part& part, const std::string& option, const std::string& word) {
    const std::vector<std::string> words = words_of<list>();
    part.*member = list[choice_of(option, word, std::vector<std::string_view>(words.begin(), words.end()))].value;
}

// What single options do.
void take_excluded(NamedInputs& inputs, const std::string& option, const std::string& word);
void take_shard(NamedInputs& inputs, const std::string& option, const std::string& word);
void take_fetched(NamedInputs& inputs, const std::string& option, const std::string& word);
void take_max_seconds(RunLimits& limits, const std::string& option, const std::string& word);
void take_jobs(RunLimits& limits, const std::string& option, const std::string& word);
void take_reader(Choices& choices, const std::string& option, const std::string& word);
void take_output(Reporting& reporting, const std::string& option, const std::string& word);
void take_min_severity(Reporting& reporting, const std::string& option, const std::string& word);
void take_max_per_rule(Reporting& reporting, const std::string& option, const std::string& word);
void take_selected(RuleFilter& filter, const std::string& option, const std::string& word);
void take_ignored(RuleFilter& filter, const std::string& option, const std::string& word);
// The option is called as the severity.
void take_severity(SeverityChoices& choices, const std::string& option, const std::string& word);

std::vector<std::string> output_kinds();

// Stands for the options of the formats, which are listed there.
struct FormatOptions {
    OptionFacts facts;
};

// In the order of help, by group. An option that may be repeated, and one whose value is a list, has the key `several`.
inline constexpr std::tuple kCheckOptions{
    PartOption<FileLists>{
        .names = "--files-from",
        .value = "FILE",
        .doc = "check the paths that FILE lists, one per line (- is standard input)",
        .group = OptionGroup::inputs,
        .take = add_file<&FileLists::names>,
    },
    PartOption<FileLists>{
        .names = "-0,--null",
        .doc = "the paths in --files-from or --manifest end with NUL, not with a newline",
        .group = OptionGroup::inputs,
        .flag = &FileLists::null_separated,
    },
    PartOption<NamedInputs>{
        .names = "--exclude",
        .value = "GLOB",
        .doc = "skip what this pattern matches, such as old/** or *.tmp; repeatable",
        .group = OptionGroup::inputs,
        .facts = {.key = ConfigurationKey::several,
                  .key_doc =
                      "Patterns of files and folders to skip: paths relative to the folder of the configuration, with "
                      "*, ** and ?. A pattern without a slash is compared with the file name."},
        .take = take_excluded,
    },
    PartOption<Recognition>{
        .names = "--as",
        .value = "FORMAT",
        .doc = "treat the input as this format instead of recognising it",
        .group = OptionGroup::checks,
        .facts = {.key = ConfigurationKey::one,
                  .key_doc = "Treat all inputs as this format instead of recognising it.",
                  .library = "format"},
        .take = take_format<&Recognition::as>,
    },
    PartOption<Choices>{
        .names = "--expect",
        .value = "FORMAT",
        .doc = "report inputs of another format as errors",
        .group = OptionGroup::checks,
        .facts = {.key = ConfigurationKey::one},
        .take = take_format<&Choices::expect>,
    },
    PartOption<RuleFilter>{
        .names = "--select",
        .value = "RULES",
        .doc = "check only these rules",
        .group = OptionGroup::checks,
        .facts = {.key = ConfigurationKey::several,
                  .key_doc = "Enable only these rules: ids or prefixes.",
                  .library = "select"},
        .take = take_selected,
    },
    PartOption<RuleFilter>{
        .names = "--ignore",
        .value = "RULES",
        .doc = "do not check these rules",
        .group = OptionGroup::checks,
        .facts = {.key = ConfigurationKey::several,
                  .key_doc = "Disable these rules: ids or prefixes.",
                  .library = "ignore"},
        .take = take_ignored,
    },
    PartOption<Choices>{
        .names = "--growing",
        .doc = "the files are still being written: do not report that they end early",
        .group = OptionGroup::checks,
        .facts = {.library = "growing", .is_in_npm = false},
        .flag = &Choices::growing,
    },
    PartOption<NamedInputs>{
        .names = "--follow",
        .doc = "keep checking files while they are written, and those that appear in a folder",
        .group = OptionGroup::checks,
        .flag = &NamedInputs::follow,
    },
    PartOption<NamedInputs>{
        .names = "--idle",
        .value = "SECONDS",
        .doc = "with --follow: stop when nothing was written for SECONDS",
        .group = OptionGroup::checks,
        .take = take_number<&NamedInputs::idle_seconds>,
    },
    FormatOptions{{.key = ConfigurationKey::one, .library = "settings", .is_in_npm = false}},
    PartOption<Reporting>{
        .names = "--output",
        .value = "KIND[=FILE]",
        .words = output_kinds,
        .doc = "kind of report (default {}; see below), to standard output or to FILE; repeatable",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::several,
                  .is_of_output = true,
                  .standard = "text",
                  .key_doc = "Outputs to standard output, or KIND=FILE. Only a configuration that --config names may "
                             "name files."},
        .take = take_output,
    },
    PartOption<Reporting>{
        .names = "--min-severity",
        .value = "SEVERITY",
        .words = words_of<kSeverityWords>,
        .doc = "lowest severity to show: error, warning or note (default {})",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one,
                  .standard = "note",
                  .key_doc = "The lowest severity shown.",
                  .is_in_npm = true},
        .take = take_min_severity,
    },
    PartOption<Reporting>{
        .names = "--notes",
        .doc = "show every note; without it, text has one line for each rule, concise and github none",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &Reporting::notes,
    },
    PartOption<Reporting>{
        .names = "--summary",
        .doc = "text: show one line per file, without its findings",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &Reporting::summary,
    },
    PartOption<Reporting>{
        .names = "--max-per-rule",
        .value = "N",
        .doc = "findings to show per rule and file (default {}, in text 3; 0 shows all); all are counted",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one, .standard = "20", .library = "max_per_rule"},
        .take = take_max_per_rule,
    },
    PartOption<Reporting>{
        .names = "--statistics",
        .doc = "text: also show how many records of each kind there are",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &Reporting::statistics,
    },
    PartOption<Reporting>{
        .names = "--quiet",
        .doc = "print nothing to standard output; output files are still written",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &Reporting::quiet,
    },
    PartOption<Reporting>{
        .names = "--color",
        .value = "WHEN",
        .words = words_of<kColourWords>,
        .doc = "colour text: auto, always or never (default {}, which respects NO_COLOR)",
        .group = OptionGroup::report,
        .facts = {.key = ConfigurationKey::one,
                  .is_of_output = true,
                  .standard = "auto",
                  .key_doc = "Whether text output is coloured; auto: on a terminal, unless NO_COLOR is set."},
        .take = take_word<kColourWords, &Reporting::colour>,
    },
    PartOption<SeverityChoices>{
        .names = "--error",
        .value = "RULES",
        .doc = "report these rules as errors",
        .group = OptionGroup::severities,
        .facts = {.key = ConfigurationKey::severities, .library = "severities"},
        .take = take_severity,
    },
    PartOption<SeverityChoices>{
        .names = "--warning",
        .value = "RULES",
        .doc = "report these rules as warnings",
        .group = OptionGroup::severities,
        .facts = {.key = ConfigurationKey::severities, .library = "severities"},
        .take = take_severity,
    },
    PartOption<SeverityChoices>{
        .names = "--note",
        .value = "RULES",
        .doc = "report these rules as notes",
        .group = OptionGroup::severities,
        .facts = {.key = ConfigurationKey::severities, .library = "severities"},
        .take = take_severity,
    },
    PartOption<SeverityChoices>{
        .names = "--off",
        .value = "RULES",
        .doc = "turn these rules off; if several of these options match a rule, the last one wins",
        .group = OptionGroup::severities,
        .facts = {.key = ConfigurationKey::severities, .library = "severities"},
        .take = take_severity,
    },
    PartOption<Reporting>{
        .names = "--fail-on",
        .value = "SEVERITY",
        .words = words_of<kFailOnWords>,
        .doc = "exit with 1 from this severity on: error, warning, note or never (default {})",
        .group = OptionGroup::status,
        .facts = {.key = ConfigurationKey::one,
                  .is_of_output = true,
                  .standard = "error",
                  .key_doc = "The lowest severity that makes the exit status 1."},
        .take = take_word<kFailOnWords, &Reporting::fail_on>,
    },
    PartOption<Reporting>{
        .names = "--exit-zero",
        .doc = "exit with 0 instead of 1; the other statuses stay",
        .group = OptionGroup::status,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &Reporting::exit_zero,
    },
    PartOption<BaselineChoice>{
        .names = "--baseline",
        .value = "FILE",
        .doc = "do not count the known findings that FILE lists",
        .group = OptionGroup::status,
        .facts = {.key = ConfigurationKey::one,
                  .is_of_output = true,
                  .key_doc = "The file that lists the known findings, relative to the folder of the configuration."},
        .take = take_file<&BaselineChoice::file>,
    },
    PartOption<BaselineChoice>{
        .names = "--strict-baseline",
        .doc = "also exit with 1 if the baseline allows more findings than there are",
        .group = OptionGroup::status,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true},
        .flag = &BaselineChoice::strict,
    },
    PartOption<Choices>{
        .names = "--for",
        .value = "READER",
        .words = reader_words,
        .doc = "predict what READER (such as perf; list shows all) does, and show only what affects it",
        .group = OptionGroup::readers,
        .facts = {.key = ConfigurationKey::several,
                  .key_doc = "Readers, as NAME, NAME@VERSION or any: predict what they do with each file, and show "
                             "only the findings that affect them.",
                  .library = "readers",
                  .is_in_npm = true},
        .take = take_reader,
    },
    PartOption<NamedInputs>{
        .names = "--with",
        .value = "FILE",
        .doc = "also check FILE, and whether it matches the inputs; repeatable",
        .group = OptionGroup::readers,
        .facts = {.library = "companions", .is_in_npm = true},
        .take = add_file<&NamedInputs::beside>,
    },
    PartOption<NamedInputs>{
        .names = "--no-pair",
        .doc = "do not look for the dump or perf map of a recording",
        .group = OptionGroup::readers,
        .flag = &NamedInputs::no_pair,
    },
    PartOption<Limits>{
        .names = "--max-memory",
        .value = "BYTES",
        .doc = "memory limit for each file (default {})",
        .group = OptionGroup::limits,
        .facts = {.key = ConfigurationKey::one,
                  .standard = "512M",
                  .key_doc = "Memory limit for each file: bytes, or a number with K, M or G.",
                  .library = "max_memory"},
        .take = take_size<&Limits::memory>,
    },
    PartOption<Limits>{
        .names = "--max-record",
        .value = "BYTES",
        .doc = "largest record that is read as a whole (default {})",
        .group = OptionGroup::limits,
        .facts = {.key = ConfigurationKey::one,
                  .standard = "64M",
                  .key_doc = "The largest record that is read as a whole: bytes, or a number with K, M or G.",
                  .library = "max_record"},
        .take = take_size<&Limits::record>,
    },
    PartOption<RunLimits>{
        .names = "-j,--jobs",
        .value = "N",
        .doc = "check N files in parallel (default {}; 0: one per processor)",
        .group = OptionGroup::limits,
        .facts = {.key = ConfigurationKey::one, .is_of_output = true, .standard = "1"},
        .take = take_jobs,
    },
    PartOption<NamedInputs>{
        .names = "--manifest",
        .value = "FILE",
        .doc = "check the files that FILE lists, one per line: a path, or tab-separated path, size, etag, format",
        .group = OptionGroup::fleets,
        .take = take_file<&NamedInputs::manifest>,
    },
    PartOption<NamedInputs>{
        .names = "--shard",
        .value = "I/N",
        .doc = "check only part I of N of the manifest (default {})",
        .group = OptionGroup::fleets,
        .facts = {.standard = "1/1"},
        .take = take_shard,
    },
    PartOption<NamedInputs>{
        .names = "--redo",
        .doc = "check a shard again although its part is finished",
        .group = OptionGroup::fleets,
        .flag = &NamedInputs::redo,
    },
    PartOption<NamedInputs>{
        .names = "--fetched",
        .value = "FOLDER",
        .doc = "folder with the files of URLs in the manifest, named by entry: 1, 2, ...",
        .group = OptionGroup::fleets,
        .take = take_fetched,
    },
    PartOption<RunLimits>{
        .names = "--max-seconds",
        .value = "N",
        .doc = "stop checking a file of the manifest after N seconds",
        .group = OptionGroup::fleets,
        .take = take_max_seconds,
    },
    PartOption<ConfigurationChoice>{
        .names = "--config",
        .value = "FILE",
        .doc = "read the configuration from FILE (default: {} in this folder or one above)",
        .group = OptionGroup::configuration,
        .facts = {.standard = ".tracelint.json"},
        .take = take_text<&ConfigurationChoice::file>,
    },
    PartOption<ConfigurationChoice>{
        .names = "--no-config",
        .doc = "ignore all configuration files",
        .group = OptionGroup::configuration,
        .flag = &ConfigurationChoice::is_off,
    },
    PartOption<ConfigurationChoice>{
        .names = "--show-config",
        .doc = "print the configuration of this run and exit",
        .group = OptionGroup::configuration,
        .flag = &ConfigurationChoice::is_shown,
    },
};
static_assert(kShownPerRule == 20);
static_assert(Limits{}.memory == 512 * kMiB && Limits{}.record == 64 * kMiB);

// Adds the option to a command. `doc`: for help, if it says something else there.
template <class Part>
void add_option(OptionParser& parser, const PartOption<Part>& row, Part& part, std::string_view doc = {}) {
    const std::string text = with_standard(doc.empty() ? row.doc : doc, row.facts.standard);
    const std::string names(row.names);
    if (row.flag != nullptr) return parser.flag(names, part.*row.flag, text, row.facts, row.group);
    OptionValue value{std::string(row.value)};
    if (row.words != nullptr) value.choices = row.words();
    const std::string option(row.names.substr(row.names.find("--")));
    parser.option(
        names, value, text, [&part, option, take = row.take](const std::string& word) { take(part, option, word); },
        row.facts, row.group);
}

// Adds the options that fill the part, or the one of them with this name.
template <class Part>
void add_options(OptionParser& parser, Part& part, std::string_view names = {}, std::string_view doc = {}) {
    const auto add = [&]<class Row>(const Row& row) {
        if constexpr (std::is_same_v<Row, PartOption<Part>>)
            if (names.empty() || row.names == names) add_option(parser, row, part, doc);
    };
    std::apply([&](const auto&... rows) { (add(rows), ...); }, kCheckOptions);
}
// The grammars' own options.
void add_options(OptionParser& parser, Settings& settings);

// One of --output: "KIND" or "KIND=FILE".
void add_output(std::vector<Output>& outputs, const std::string& word);
// The kinds of output, for the end of the help text.
std::string kinds_help();

}  // namespace tracelint
