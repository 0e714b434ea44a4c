// The options that several commands share.
#include "validator/tool/options/check_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tool/inputs/path_pattern.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_words.hpp"
#include "validator/tool/options/reader_choice.hpp"

namespace tracelint {
namespace {

template <class Value>
struct Choice {
    std::string_view word;
    Value value;
};

template <class Value, size_t N>
Value choose(const std::string& option, const std::string& word, const Choice<Value> (&choices)[N]) {
    std::vector<std::string_view> words;
    for (const Choice<Value>& choice : choices) words.push_back(choice.word);
    return choices[choice_of(option, word, words)].value;
}

// An argument that is one of the choices.
template <class Chosen, size_t N>
OptionValue one_of(const std::string& name, const Choice<Chosen> (&choices)[N]) {
    std::vector<std::string_view> words;
    for (const Choice<Chosen>& choice : choices) words.push_back(choice.word);
    return {name, words};
}

constexpr Choice<Severity> kSeverities[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}};
constexpr Choice<std::optional<Severity>> kFailOn[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}, {"never", std::nullopt}};
constexpr Choice<Colour> kColours[] = {
    {"auto", Colour::when_terminal}, {"always", Colour::always}, {"never", Colour::never}};

std::vector<std::string_view> writer_names() {
    std::vector<std::string_view> names;
    for (const WriterKind& kind : writer_kinds()) names.push_back(kind.name);
    return names;
}

std::string default_size(uint64_t bytes) { return fmt::format(" (default {}M)", bytes / kMiB); }

void add_inputs(OptionParser& parser, CommandLine& line) {
    parser.option("--with", "FILE", "check FILE, too, and whether it and the inputs belong together; repeatable",
                  [&](const std::string& word) {
                      if (word.empty()) refuse("--with: file name missing");
                      line.beside.push_back(word);
                  });
    add_file_lists(parser, line, "check the files that FILE lists, one a line (- for standard input)");
    parser.flag("-0,--null", line.null_separated, "what --files-from or --manifest reads ends in NULs");
    parser.option("--exclude", "GLOB", "leave out files and folders such as old/** or *.tmp; repeatable",
                  [&](const std::string& word) {
                      if (const std::string fault = PathPattern::fault_of(word); !fault.empty())
                          refuse(fmt::format("--exclude: {}", fault));
                      size_t size = word.size();
                      for (const std::string& other : line.excluded) size += other.size();
                      if (size > kMostGlobs)
                          refuse(fmt::format("--exclude: all patterns have more than {}", byte_size(kMostGlobs)));
                      line.excluded.push_back(word);
                  });
}

constexpr uint64_t kMostSeconds = 1'000'000;

void add_fleet(OptionParser& parser, CommandLine& line) {
    parser.option("--manifest", "FILE",
                  "check the files that FILE lists, one a line: a path, or a path, a size, an etag and a format with "
                  "tabs between them (- for standard input)",
                  [&](const std::string& word) {
                      if (word.empty()) refuse("--manifest: file name missing");
                      if (!line.manifest.empty()) refuse("--manifest can be given only once");
                      line.manifest = word;
                  });
    parser.option("--shard", "I/N", "of the manifest, check the I-th of N parts (default 1/1)",
                  [&](const std::string& word) { line.shard = shard_of_word(word); });
    parser.flag("--redo", line.redo, "check a shard again although its part is finished");
    parser.option("--fetched", "FOLDER", "FOLDER has the files of URLs in the manifest, named by entry: 1, 2, ...",
                  [&](const std::string& word) {
                      if (word.empty()) refuse("--fetched: folder name missing");
                      line.fetched = word;
                  });
    parser.option("--max-seconds", "N", "give up a file of the manifest that takes longer than N seconds",
                  [&](const std::string& word) {
                      line.max_seconds = number_of("--max-seconds", word);
                      if (line.max_seconds == 0 || line.max_seconds > kMostSeconds)
                          refuse(fmt::format("--max-seconds: expected 1 to {}", kMostSeconds));
                  });
}

void add_exit_zero(OptionParser& parser, CommandLine& line) {
    parser.flag("--exit-zero", line.exit_zero, "exit status 0 instead of 1; 2, 3 and 4 stay");
}

void add_expect(OptionParser& parser, CommandLine& line) {
    parser.option("--expect", "FORMAT", "inputs of another format are errors",
                  [&](const std::string& word) { line.expect = format_of(word); });
}

// "perf, llvm-xray@14, any, list".
void add_reader(CommandLine& line, const std::string& word) {
    if (word == "list") {
        line.list_readers = true;
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
    const std::vector<const TraceReader*> readers = readers_named(word);
    if (readers.empty())
        refuse(fmt::format("--for: {} is known in version {}, not {}", name, either_of(versions_of(name)),
                           quoted_word(word.substr(word.find('@') + 1))));
    for (const TraceReader* reader : readers)
        if (std::ranges::find(line.readers, reader) == line.readers.end()) line.readers.push_back(reader);
}

void add_for(OptionParser& parser, CommandLine& line) {
    std::vector<std::string_view> words = reader_names();
    words.insert(words.end(), {"any", "list"});
    const std::vector<std::string> versions = reader_versions();
    words.insert(words.end(), versions.begin(), versions.end());
    parser.option("--for", {"READER", words},
                  "what this reader will do with each file, and only the findings that matter to it: perf, "
                  "llvm-xray@14, any; repeatable; list shows all",
                  [&](const std::string& word) { add_reader(line, word); });
}

void add_baseline(OptionParser& parser, CommandLine& line) {
    parser.option("--baseline", "FILE", "known findings, which do not count", [&](const std::string& word) {
        if (word.empty()) refuse("--baseline: file name missing");
        if (!line.baseline.empty()) refuse("--baseline can be given only once");
        line.baseline = word;
    });
    parser.flag("--strict-baseline", line.strict_baseline,
                "exit status 1 if the baseline allows for more than is found");
}

// An option that takes rules and prefixes of rules, separated by commas.
void add_rule_option(OptionParser& parser, const std::string& name, const std::string& doc,
                     std::function<void(std::string_view pattern)> take) {
    parser.option(name, "RULES", doc, [name, take = std::move(take)](const std::string& list) {
        for (size_t start = 0; start <= list.size();) {
            const size_t comma = std::min(list.find(',', start), list.size());
            const std::string pattern = list.substr(start, comma - start);
            require_rules(name, pattern);
            take(pattern);
            start = comma + 1;
        }
    });
}

// Of these options, the last one that covers a rule counts.
void add_severities(OptionParser& parser, CommandLine& line) {
    const auto add = [&](const std::string& name, const std::string& doc, std::optional<Severity> severity) {
        add_rule_option(parser, name, doc,
                        [&line, severity](std::string_view pattern) { line.severities.choose(pattern, severity); });
    };
    add("--error", "make findings of these rules errors", Severity::error);
    add("--warning", "make findings of these rules warnings", Severity::warning);
    add("--note", "make findings of these rules notes", Severity::note);
    add("--off",
        "turn these rules off; if several of --error, --warning, --note and --off cover a rule, the last one counts",
        std::nullopt);
}

void add_configuration(OptionParser& parser, CommandLine& line) {
    parser.option(
        "--config", "FILE",
        fmt::format("read the configuration from FILE (default: {} in this folder or one above)", kConfigurationName),
        [&](const std::string& word) { line.configuration_file = word; });
    parser.flag("--no-config", line.no_configuration, "read no configuration");
    parser.flag("--show-config", line.show_configuration, "print the configuration of this run and exit");
}

}  // namespace

namespace {

// The kind that a file with this name would have: "html" for "report.html"; empty if none.
std::string_view kind_of_file(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
        {"htm", "html"}, {"xml", "junit"}, {"md", "markdown"}, {"txt", "text"}, {"jsonl", "ndjson"}, {"log", "text"}};
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view ending = name.substr(dot + 1);
    for (const auto& [other, kind] : kEndings)
        if (ending == other) return kind;
    const WriterKind* kind = find_writer_kind(ending);
    return kind == nullptr ? std::string_view() : kind->name;
}

}  // namespace

void add_output(std::vector<Output>& outputs, const std::string& word) {
    const size_t equals = word.find('=');
    if (const std::string_view kind = kind_of_file(word); equals == std::string::npos && !kind.empty())
        refuse(fmt::format("--output: invalid value {}; expected KIND=FILE; did you mean '{}={}'?", quoted_word(word),
                           kind, printable(word)));
    Output output{&writer_kinds()[choice_of("--output", word.substr(0, equals), writer_names())], {}};
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

// The grammars' own options.
void add_settings(OptionParser& parser, CommandLine& line) {
    for (const Option* option : all_options()) {
        const std::string name = fmt::format("--{}", option->name);
        const std::string doc =
            fmt::format("{} (default {}): {}", joined(option->choices, "|"), option->choices[0], option->doc);
        parser.option(name, {"CHOICE", {option->choices.begin(), option->choices.end()}}, doc,
                      [&line, option, name](const std::string& word) {
                          line.settings.set(*option, choice_of(name, word, option->choices));
                      });
    }
}

void add_file_lists(OptionParser& parser, CommandLine& line, const std::string& doc) {
    parser.option("--files-from", "FILE", doc, [&](const std::string& word) {
        if (word.empty()) refuse("--files-from: file name missing");
        line.file_lists.push_back(word);
    });
}

void add_record_limit(OptionParser& parser, CommandLine& line) {
    parser.option("--max-record", "BYTES", "longest record that is read as a whole" + default_size(Limits{}.record),
                  [&](const std::string& word) { line.limits.record = size_of("--max-record", word); });
}

void add_memory_limit(OptionParser& parser, CommandLine& line, const std::string& doc) {
    parser.option("--max-memory", "BYTES", doc + default_size(Limits{}.memory),
                  [&](const std::string& word) { line.limits.memory = size_of("--max-memory", word); });
}

void add_as(OptionParser& parser, CommandLine& line) {
    parser.option("--as", "FORMAT", "treat the input as this format instead of recognising it",
                  [&](const std::string& word) { line.as = format_of(word); });
}

void add_rule_filters(OptionParser& parser, CommandLine& line) {
    add_rule_option(parser, "--select", "enable only these rules",
                    [&](std::string_view pattern) { line.filter.select(pattern); });
    add_rule_option(parser, "--ignore", "disable these rules",
                    [&](std::string_view pattern) { line.filter.ignore(pattern); });
}

void add_reporting(OptionParser& parser, CommandLine& line) {
    parser.option("--output", {"KIND[=FILE]", writer_names()},
                  "how to report (default text; see below), to standard output or FILE; repeatable",
                  [&](const std::string& word) { add_output(line.outputs, word); });
    parser.option("--fail-on", one_of("SEVERITY", kFailOn),
                  "error|warning|note|never: lowest severity that makes the exit status 1 (default error)",
                  [&](const std::string& word) { line.fail_on = choose("--fail-on", word, kFailOn); });
    add_exit_zero(parser, line);
    parser.option("--min-severity", one_of("SEVERITY", kSeverities),
                  "error|warning|note: lowest severity shown (default note)", [&](const std::string& word) {
                      line.min_severity = choose("--min-severity", word, kSeverities);
                      line.notes |= line.min_severity == Severity::note;
                  });
    parser.flag("--notes", line.notes,
                "text output: show every note, as --min-severity note does; else one line for each rule");
    parser.flag("--summary", line.summary, "text output: one line for each file, without its findings");
    parser.option("--max-per-rule", "N",
                  fmt::format("findings shown per rule and file (default {}, 0 for all up to {}); all are counted",
                              kShownPerRule, kKeptFindings),
                  [&](const std::string& word) { line.max_per_rule = number_of("--max-per-rule", word); });
    parser.flag("--quiet", line.quiet, "print nothing on standard output; output files are still written");
    parser.flag("--statistics", line.statistics, "show the number of records by kind in text output");
    parser.option("--color", one_of("WHEN", kColours), "auto|always|never (default auto, which respects NO_COLOR)",
                  [&](const std::string& word) { line.colour = choose("--color", word, kColours); });
}

std::string kinds_help() {
    std::string text = "Kinds of output:\n";
    for (const WriterKind& kind : writer_kinds()) text += fmt::format("  {:<26}  {}\n", kind.name, kind.doc);
    return text + '\n';
}

// The options of the command check, which the configuration may give as well.
void add_check_options(OptionParser& parser, CommandLine& line) {
    add_inputs(parser, line);
    add_fleet(parser, line);
    add_as(parser, line);
    add_expect(parser, line);
    add_for(parser, line);
    add_reporting(parser, line);
    add_rule_filters(parser, line);
    add_severities(parser, line);
    add_baseline(parser, line);
    add_memory_limit(parser, line, "memory for all that grows with a file, per file");
    add_record_limit(parser, line);
    add_settings(parser, line);
    parser.option("-j,--jobs", "N", "files checked in parallel (default 1, 0 for the number of processors)",
                  [&](const std::string& word) { line.jobs = jobs_of(word); });
    add_configuration(parser, line);
}

}  // namespace tracelint
