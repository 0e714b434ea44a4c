// The options and commands, and the errors of a wrong command line.
#include "validator/tool/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <thread>

#include "validator/tool/build_info.hpp"
#include "validator/tool/configuration.hpp"
#include "validator/tool/exclusions.hpp"
#include "validator/tool/option_parser.hpp"
#include "validator/tool/readers/reader_choice.hpp"
#include "validator/tool/rule_pattern.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kCommands[] = {"check", "rules", "explain", "dump", "generate", "baseline", "merge", "help"};

constexpr const char* kCommandsHelp = R"(Commands (as the first argument; to check a file of that name, write ./rules):
  check FILE...               check files; the same as without a command
  rules                       list the rules
  explain RULE                what a rule requires and why, with an example of a
                              violation; the rules of a prefix (jitdump/)
  dump FILE                   print the records of a trace: offset, bytes,
                              field, value, meaning; as text or JSON, all or
                              those around an offset
  generate FORMAT             write a valid trace, or one that violates a rule
  baseline update BASELINE FILE...
                              write down findings that are known, for --baseline
  baseline check BASELINE FILE...
                              show how the findings differ from those
  merge PART...               merge the parts of a fleet's results, written by
                              --manifest FILE --output ndjson=PART

Exit status: 0 clean; 1 findings at or above --fail-on; 2 usage error; 3 an
input could not be read; 4 internal error, a limit was hit, or the output failed
or a signal came before every input was checked. If several apply, the first of
2, 4, 3, 1, 0.)";

constexpr const char* kRulesHelp = "RULES are ids or prefixes, separated by commas: jitdump/,xray/unknown-file-type.";

std::string shown(std::string_view word) { return fmt::format("'{}'", printable(word)); }

const Rule* rule_of(const std::string& word) {
    const Rule* rule = find_rule(word);
    if (rule == nullptr)
        refuse(fmt::format("unknown rule {}; tracelint rules lists them{}", shown(word), guess_rule(word)));
    return rule;
}

void require_rules(const std::string& option, const std::string& pattern) {
    if (const std::string fault = pattern_fault(pattern); !fault.empty()) refuse(option + ": " + fault);
}

const Format* format_of(const std::string& word) {
    if (const Format* format = find_format(word)) return format;
    std::vector<std::string_view> ids;
    for (const Format* known : formats()) ids.push_back(known->id);
    refuse(fmt::format("unknown format {}; expected {}{}", shown(word), either_of(ids), did_you_mean(word, ids)));
}

// The index of `word` in `choices`.
size_t choice_of(const std::string& option, const std::string& word, std::span<const std::string_view> choices) {
    const auto found = std::ranges::find(choices, word);
    if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
    refuse(fmt::format("{}: invalid value {}; expected {}{}", option, shown(word), either_of(choices),
                       did_you_mean(word, choices)));
}

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

uint64_t size_of(const std::string& option, const std::string& word) {
    uint64_t bytes = 0;
    if (!parse_size(word, bytes))
        refuse(fmt::format("{}: invalid size {}; expected a number of bytes, such as 4096, 64K, 16M or 1G", option,
                           shown(word)));
    return bytes;
}

uint64_t number_of(const std::string& option, const std::string& word) {
    uint64_t number = 0;
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || !parse_size(word, number)) refuse(fmt::format("{}: invalid number {}", option, shown(word)));
    return number;
}

std::vector<std::string_view> writer_names() {
    std::vector<std::string_view> names;
    for (const WriterKind& kind : writer_kinds()) names.push_back(kind.name);
    return names;
}

void add_output(std::vector<Output>& outputs, const std::string& word) {
    const size_t equals = word.find('=');
    Output output{&writer_kinds()[choice_of("--output", word.substr(0, equals), writer_names())], {}};
    if (equals != std::string::npos) {
        output.file = word.substr(equals + 1);
        if (output.file.empty()) refuse(fmt::format("--output: file name missing after {}", shown(word)));
        if (output.file == "-") output.file.clear();
    }
    if (std::ranges::any_of(outputs, [&](const Output& other) { return other.file == output.file; }))
        refuse(fmt::format("--output: more than one output to {}",
                           output.file.empty() ? "standard output" : shown(output.file)));
    outputs.push_back(std::move(output));
}

std::string default_size(uint64_t bytes) { return fmt::format(" (default {}M)", bytes / kMiB); }

std::string joined(std::span<const std::string_view> words, std::string_view separator) {
    std::string text;
    for (const std::string_view word : words) text.append(text.empty() ? "" : separator).append(word);
    return text;
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

void add_inputs(OptionParser& parser, CommandLine& line) {
    parser.option("--with", "FILE", "check FILE, too, and whether it and the inputs belong together; repeatable",
                  [&](const std::string& word) {
                      if (word.empty()) refuse("--with: file name missing");
                      line.beside.push_back(word);
                  });
    parser.option("--files-from", "FILE", "check the files that FILE lists, one a line (- for standard input)",
                  [&](const std::string& word) {
                      if (word.empty()) refuse("--files-from: file name missing");
                      line.file_lists.push_back(word);
                  });
    parser.flag("-0,--null", line.null_separated, "what --files-from or --manifest reads ends in NULs");
    parser.option("--exclude", "GLOB", "leave out files and folders such as old/** or *.tmp; repeatable",
                  [&](const std::string& word) {
                      if (const std::string fault = Exclusions::fault_of(word); !fault.empty())
                          refuse(fmt::format("--exclude: {}", fault));
                      size_t size = word.size();
                      for (const std::string& other : line.excluded) size += other.size();
                      if (size > kMostGlobs)
                          refuse(fmt::format("--exclude: all patterns have more than {}", byte_size(kMostGlobs)));
                      line.excluded.push_back(word);
                  });
}

// "I/N"
Shard shard_of_word(const std::string& word) {
    Shard shard{0, 0};
    const auto part = [](std::string_view text, uint64_t& number) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc() && end == text.data() + text.size();
    };
    const std::string_view text = word;
    const size_t slash = text.find('/');
    const bool is_good =
        slash != text.npos && part(text.substr(0, slash), shard.index) && part(text.substr(slash + 1), shard.count);
    if (!is_good || shard.index == 0 || shard.index > shard.count || shard.count > kMostShards)
        refuse(fmt::format("--shard: invalid shard {}; expected I/N such as 1/40, with I from 1 to N and N up to {}",
                           shown(word), kMostShards));
    return shard;
}

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
    std::vector<std::string_view> names = reader_names();
    if (name != "any" && std::ranges::find(names, name) == names.end()) {
        names.push_back("any");
        refuse(fmt::format("--for: unknown reader {}; --for list shows those that are known{}", shown(name),
                           did_you_mean(name, names)));
    }
    const std::vector<const TraceReader*> readers = readers_named(word);
    if (readers.empty())
        refuse(fmt::format("--for: {} is known in version {}, not {}", name, either_of(versions_of(name)),
                           shown(word.substr(word.find('@') + 1))));
    for (const TraceReader* reader : readers)
        if (std::ranges::find(line.readers, reader) == line.readers.end()) line.readers.push_back(reader);
}

void add_for(OptionParser& parser, CommandLine& line) {
    std::vector<std::string_view> words = reader_names();
    words.insert(words.end(), {"any", "list"});
    parser.option("--for", {"READER", words},
                  "what this reader will do with each file, and only the findings that matter to it: perf, "
                  "llvm-xray@14, any; repeatable; list shows all",
                  [&](const std::string& word) { add_reader(line, word); });
}

void add_baseline(OptionParser& parser, CommandLine& line) {
    parser.option("--baseline", "FILE", "known findings, which do not count", [&](const std::string& word) {
        if (word.empty()) refuse("--baseline: file name missing");
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

void add_rule_filters(OptionParser& parser, CommandLine& line) {
    add_rule_option(parser, "--select", "enable only these rules",
                    [&](std::string_view pattern) { line.filter.select(pattern); });
    add_rule_option(parser, "--ignore", "disable these rules",
                    [&](std::string_view pattern) { line.filter.ignore(pattern); });
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

unsigned jobs_of(const std::string& word) {
    constexpr uint64_t kMostJobs = 256;
    const uint64_t jobs = number_of("--jobs", word);
    if (jobs == 0) return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::min(jobs, kMostJobs));
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

// An offset, in decimal or hexadecimal.
uint64_t offset_of(const std::string& option, const std::string& word) {
    const std::string_view text = word;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    const std::string_view digits = is_hex ? text.substr(2) : text;
    uint64_t offset = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), offset, is_hex ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size())
        refuse(fmt::format("{}: invalid offset {}; expected a number of bytes such as 4096 or 0x1000", option,
                           shown(word)));
    return offset;
}

// "N", "N..M", "N.." or "..M".
void select_records(const std::string& word, Selection& selection) {
    const auto part = [&](const std::string& number, uint64_t& value) {
        if (number.empty() && word.size() > 2) return true;
        const bool digits = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
        return digits && parse_size(number, value);
    };
    const size_t dots = word.find("..");
    const bool is_good =
        dots == std::string::npos
            ? !word.empty() && part(word, selection.first) && part(word, selection.last)
            : part(word.substr(0, dots), selection.first) && part(word.substr(dots + 2), selection.last);
    if (!is_good || selection.first > selection.last)
        refuse(fmt::format("--records: invalid range {}; expected numbers of records such as 7, 3..9 or 100..",
                           shown(word)));
}

// Sets the options of the configuration, then those that were read.
void apply_options(OptionParser& parser, CommandLine& line) {
    if (line.configuration != nullptr) {
        CommandLine scratch;
        OptionParser options("", "");
        add_check_options(options, scratch);
        require_valid(*line.configuration, options);
        line.configuration = std::make_shared<Configuration>(set_options(*line.configuration, parser));
    }
    parser.apply();
    line.excluded_by_configuration = line.configuration != nullptr && parser.given("exclude").empty();
}

void require_sound_inputs(const CommandLine& line) {
    if (line.null_separated && line.file_lists.empty() && line.manifest.empty())
        refuse("--null says how --files-from and --manifest read; both are missing");
    if (line.manifest.empty()) {
        if (line.shard != Shard{}) refuse("--shard divides what --manifest lists; it is missing");
        if (line.redo) refuse("--redo checks a shard of --manifest again; it is missing");
    } else {
        const char* other = !line.files.empty()        ? "FILE"
                            : !line.file_lists.empty() ? "--files-from"
                            : !line.baseline.empty()   ? "--baseline"
                                                       : nullptr;
        if (other != nullptr) refuse(fmt::format("--manifest and {} exclude each other", other));
    }
    if (std::ranges::count(line.files, "-") + std::ranges::count(line.file_lists, "-") +
            std::ranges::count(line.beside, "-") >
        1)
        refuse("standard input (-) can be given only once");
}

// Scripts read the first line.
std::string version_text() {
    const BuildInfo& info = build_info();
    return fmt::format("tracelint {}\ncommit: {}\nbuild: {}\nABI: {}\n", TRACELINT_VERSION, info.commit, info.build,
                       info.abi);
}

// The parse_... functions return the text that answers --help, --version or --show-config, if one was given.
std::string parse_check(Arguments arguments, CommandLine& line) {
    bool version = false;
    OptionParser parser("Validates binary traces of runtimes and profilers.", "tracelint");
    parser.positionals("FILE", "files, folders (all files in them), or - for standard input",
                       [&](const std::string& word) { line.files.push_back(word); });
    add_check_options(parser, line);
    parser.flag("--version", version, "print version, commit, build and ABI");
    parser.footer(kRulesHelp + ("\n\n" + kinds_help()) + kCommandsHelp);
    if (std::string help = parser.read(std::move(arguments)); !help.empty()) return help;
    apply_options(parser, line);
    if (version) return version_text();
    if (line.list_readers) return reader_list();
    if (line.no_configuration && !line.configuration_file.empty())
        refuse("--config and --no-config exclude each other");
    if (line.show_configuration) return shown_configuration(line.configuration.get(), parser, line.severities);
    if (line.files.empty() && line.file_lists.empty() && line.manifest.empty())
        refuse("no input given; expected: tracelint FILE...; tracelint --help lists options and commands");
    require_sound_inputs(line);
    if (!line.manifest.empty())
        line.finding_options = finding_options(line.configuration.get(), parser, line.severities);
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
    return {};
}

constexpr std::string_view kBaselineCommands[] = {"update", "check"};

// `update BASELINE FILE...` or `check BASELINE FILE...`.
std::string parse_baseline(Arguments arguments, CommandLine& line) {
    std::vector<std::string>& given = arguments.words;
    // The table of options has those of update.
    if (arguments.table != nullptr) given = {"update"};
    const std::string word = given.empty() ? std::string() : given[0];
    const bool asks_for_help = word == "--help" || word == "-h";
    const auto named = std::ranges::find(kBaselineCommands, word);
    if (named == std::end(kBaselineCommands) && !asks_for_help)
        refuse(fmt::format("baseline: {}; expected baseline {} BASELINE FILE...{}",
                           word.empty() ? "update or check is missing" : "unknown command " + shown(word),
                           either_of(kBaselineCommands), did_you_mean(word, kBaselineCommands)));
    if (!asks_for_help) given.erase(given.begin());
    line.baseline_use = word == "check" ? BaselineUse::compare : BaselineUse::update;
    OptionParser parser("Compares the known findings of files with what is found, or updates them.",
                        "tracelint baseline update|check");
    std::vector<std::string> words;
    parser.positionals("BASELINE FILE", "the baseline, then files and folders",
                       [&](const std::string& positional) { words.push_back(positional); });
    if (line.baseline_use == BaselineUse::update) {
        parser.flag("--accept-new", line.accept_new, "let the baseline grow, or create it");
        parser.option("--reason", "TEXT", "why the findings that are added are accepted",
                      [&](const std::string& reason) { line.reason = reason; });
    }
    add_check_options(parser, line);
    if (std::string help = parser.read(std::move(arguments)); !help.empty()) return help;
    apply_options(parser, line);
    if (words.empty() || (words.size() < 2 && line.file_lists.empty()))
        refuse(fmt::format("no {} given; expected: tracelint baseline {} BASELINE FILE...",
                           words.empty() ? "baseline" : "input", word));
    line.baseline = words[0];
    line.files.assign(words.begin() + 1, words.end());
    require_sound_inputs(line);
    // Standard output has the differences.
    std::erase_if(line.outputs, [](const Output& output) { return output.file.empty(); });
    return {};
}

std::string parse_rules(Arguments arguments, CommandLine& line) {
    OptionParser parser("Lists the rules.", "tracelint rules");
    parser.option("--output", {"KIND[=FILE]", {"text", "json"}}, "text|json (default text), to standard output or FILE",
                  [&](const std::string& word) { add_output(line.outputs, word); });
    add_rule_filters(parser, line);
    parser.footer(kRulesHelp);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
    if (line.outputs.size() > 1) refuse("rules takes only one --output");
    const std::string_view kind = line.outputs[0].kind->name;
    if (kind != "text" && kind != "json") refuse("--output: rules supports only text and json");
    return {};
}

std::string parse_explain(Arguments arguments, CommandLine& line) {
    OptionParser parser("Explains a rule, or lists the rules that a prefix covers.", "tracelint explain");
    parser.positional("RULE", "a rule's id, such as input/unknown-format, or a prefix, such as jitdump/",
                      [&](const std::string& word) {
                          if (find_rule(word) == nullptr && covers_any(word)) return line.filter.select(word);
                          line.rule = rule_of(word);
                      });
    return parser.parse(std::move(arguments));
}

std::string parse_dump(Arguments arguments, CommandLine& line) {
    OptionParser parser("Prints the records of a trace without validating them.", "tracelint dump");
    parser.positional("FILE", "a trace, or - for standard input",
                      [&](const std::string& word) { line.files.push_back(word); });
    line.dump_kind = &dump_kinds().front();
    std::vector<std::string_view> kinds;
    for (const DumpKind& kind : dump_kinds()) kinds.push_back(kind.name);
    parser.option("--output", {"KIND", kinds}, joined(kinds, "|") + " (default text)",
                  [&](const std::string& word) { line.dump_kind = &dump_kinds()[choice_of("--output", word, kinds)]; });
    parser.option("--around", "OFFSET", "only what lies around this offset, such as 0x1f40",
                  [&](const std::string& word) { line.selection.around = offset_of("--around", word); });
    parser.option("--records", "N..M", "only the records with these numbers, as in records[N] of a finding",
                  [&](const std::string& word) { select_records(word, line.selection); });
    add_as(parser, line);
    add_memory_limit(parser, line, "memory for all that grows with the file");
    add_record_limit(parser, line);
    add_settings(parser, line);
    std::string help = parser.parse(std::move(arguments));
    if (line.selection.around && (line.selection.first != 0 || line.selection.last != kNone))
        refuse("--around and --records exclude each other");
    return help;
}

uint64_t size_to_generate(const std::string& word) {
    constexpr uint64_t kMost = 256 * kMiB;  // the file is generated in memory
    const uint64_t size = size_of("--size", word);
    if (size > kMost) refuse(fmt::format("--size: {} is too large; the maximum is {}M", shown(word), kMost / kMiB));
    return size;
}

std::string parse_generate(Arguments arguments, CommandLine& line) {
    OptionParser parser("Writes a trace that is valid or violates one rule in one place.", "tracelint generate");
    parser.positional("FORMAT", "the format's id", [&](const std::string& word) { line.format = format_of(word); });
    parser.option("--seed", "N", "seed; the same seed gives the same file (default 1)",
                  [&](const std::string& word) { line.seed = number_of("--seed", word); });
    parser.option("--size", "BYTES", "approximate size of the file (default 4096)",
                  [&](const std::string& word) { line.size = size_to_generate(word); });
    add_memory_limit(parser, line, "memory for the file, which is made as a whole before it is written");
    parser.option("--violate", "RULE", "violate this rule in one place",
                  [&](const std::string& word) { line.rule = rule_of(word); });
    parser.option("-o", "FILE", "write to FILE instead of standard output",
                  [&](const std::string& word) { line.generate_to = word == "-" ? "" : word; });
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    const std::vector<const Rule*> own = rules_of(*line.format);
    if (line.rule != nullptr && std::ranges::find(own, line.rule) == own.end())
        refuse(fmt::format("--violate: {} is not a rule of {}", line.rule->id, line.format->id));
    return {};
}

std::string parse_merge(Arguments arguments, CommandLine& line) {
    OptionParser parser("Merges the parts of a fleet's results.", "tracelint merge");
    parser.positionals("PART", "what runs with --manifest and --output ndjson=PART have written, or merge itself",
                       [&](const std::string& word) { line.parts.push_back(word); });
    parser.option("--expect-manifest", "FILE", "the parts must be of this manifest", [&](const std::string& word) {
        if (word.empty()) refuse("--expect-manifest: file name missing");
        line.expected_manifest = word;
    });
    parser.flag("--partial", line.partial, "shards may be missing; the result is a part that can be merged again");
    add_reporting(parser, line);
    parser.footer(kinds_help());
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.parts.empty()) refuse("no part given; expected: tracelint merge PART...");
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
    return {};
}

std::string parse_help(Arguments arguments, CommandLine& line) {
    arguments.words = {"--help"};
    return parse_check(std::move(arguments), line);
}

struct CommandParser {
    Command command;
    std::string (*parse)(Arguments arguments, CommandLine& line);
};

// In the order of kCommands.
constexpr CommandParser kParsers[] = {{Command::check, parse_check},       {Command::rules, parse_rules},
                                      {Command::explain, parse_explain},   {Command::dump, parse_dump},
                                      {Command::generate, parse_generate}, {Command::baseline, parse_baseline},
                                      {Command::merge, parse_merge},       {Command::check, parse_help}};
static_assert(std::size(kParsers) == std::size(kCommands));

}  // namespace

std::span<const std::string_view> command_names() { return kCommands; }

OptionTable options_of(std::string_view command) {
    const auto named = std::ranges::find(kCommands, command);
    OptionTable table;
    CommandLine scratch;
    kParsers[named - std::begin(kCommands)].parse({.words = {}, .table = &table}, scratch);
    return table;
}

Parsed parse_command_line(std::vector<std::string> arguments, std::shared_ptr<const Configuration> configuration) {
    Parsed parsed;
    parsed.command_line.configuration = std::move(configuration);
    CommandParser chosen{Command::check, parse_check};
    if (!arguments.empty()) {
        const auto named = std::ranges::find(kCommands, arguments[0]);
        if (named != std::end(kCommands)) {
            chosen = kParsers[named - std::begin(kCommands)];
            arguments.erase(arguments.begin());
        }
    }
    parsed.command_line.command = chosen.command;
    try {
        parsed.answer = chosen.parse({std::move(arguments)}, parsed.command_line);
    } catch (const UsageError& error) {
        parsed.error = error.message;
    } catch (const std::bad_alloc&) {
        throw;  // not the user's mistake
    } catch (const std::exception& error) {
        parsed.error = printable(error.what());
    }
    return parsed;
}

}  // namespace tracelint
