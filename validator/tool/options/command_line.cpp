// The commands, and the errors of a wrong command line.
#include "validator/tool/options/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <new>

#include "validator/tool/conformance/shell_words.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/build_info.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

constexpr const char* kCheckHelp = R"(Examples:
  tracelint app.dump                what is wrong with a trace, and where
  tracelint --for perf app.dump     what perf does with it
  tracelint --fail-on warning d/    a gate in CI, over all files in a folder

Commands:
  check FILE...             check files; the same as without a command
  rules                     list the rules
  explain RULE              what a rule requires and why, with an example
  dump FILE                 print the records of a trace, field by field
  salvage FILE -o OUT       write the sound part of a broken trace
  generate FORMAT           write a valid trace, or one that breaks a rule
  mutate FILE|FORMAT -o DIR write broken traces, for tests of readers
  dictionary FORMAT         print the values that a fuzzer needs
  describe FORMAT           print the layout of records as JSON
  conform 'READER {}'       run a reader over the conformance corpus
  baseline update|check     record the known findings, or compare with them
  merge PART...             merge the results of a fleet
Exit status: 0 ok; 1 findings from --fail-on on; 2 usage error; 3 an input is
unreadable; 4 not everything was checked. If several apply: 2, 4, 3, 1, 0.
)";

constexpr uint64_t kMostSeconds = 86'400;  // of a run of conform: a day

constexpr const char* kRulesHelp = "RULES are ids or prefixes, separated by commas: jitdump/,xray/unknown-file-type\n";

// The options of check, in the order of the table. A configuration may also give them.
void add_check_options(OptionParser& parser, CheckLine& line) {
    const auto parts = std::tie(line.inputs, line.inputs.lists, line.limits, line.limits.of_file,
                                line.choices.recognition, line.choices, line.choices.filter, line.choices.severities,
                                line.reporting, line.baseline, line.configuration);
    const auto add = [&]<class Row>(const Row& row) {
        if constexpr (std::is_same_v<Row, FormatOptions>)
            add_options(parser, line.choices.settings);
        else
            add_option(parser, row, std::get<typename Row::Of&>(parts));
    };
    std::apply([&](const auto&... rows) { (add(rows), ...); }, kCheckOptions);
}

// Sets the options of the configuration, then those that were read.
void apply_options(OptionParser& parser, CheckLine& line) {
    std::shared_ptr<const Configuration>& configuration = line.choices.configuration;
    if (configuration != nullptr) {
        CheckLine scratch;
        OptionParser options("", "");
        add_check_options(options, scratch);
        require_valid(*configuration, options);
        configuration = std::make_shared<Configuration>(set_options(*configuration, parser));
    }
    parser.apply();
    line.inputs.excluded_by_configuration = configuration != nullptr && parser.given("exclude").empty();
}

// A file that is being written is judged alone, and by its format.
void require_sound_following(const CheckLine& line) {
    const NamedInputs& inputs = line.inputs;
    const std::string_view option = inputs.follow ? "--follow" : "--growing";
    if (inputs.idle_seconds != 0 && !inputs.follow) refuse("--idle needs --follow");
    if (!inputs.follow && !line.choices.growing) return;
    if (!line.choices.readers.empty())
        refuse(fmt::format("{} and --for exclude each other: a reader sees the file as it is", option));
    if (!inputs.follow) return;
    const char* other = !inputs.manifest.empty()                     ? "--manifest"
                        : !inputs.beside.empty()                     ? "--with"
                        : !inputs.lists.names.empty()                ? "--files-from"
                        : !line.baseline.file.empty()                ? "--baseline"
                        : std::ranges::count(inputs.files, "-") != 0 ? "standard input (-)"
                                                                     : nullptr;
    if (other != nullptr) refuse(fmt::format("--follow and {} exclude each other", other));
}

void require_sound_inputs(const CheckLine& line) {
    const NamedInputs& inputs = line.inputs;
    if (inputs.lists.null_separated && inputs.lists.names.empty() && inputs.manifest.empty())
        refuse("--null needs --files-from or --manifest");
    if (inputs.manifest.empty()) {
        if (inputs.shard != Shard{}) refuse("--shard needs --manifest");
        if (inputs.redo) refuse("--redo needs --manifest");
        if (line.limits.max_seconds != 0) refuse("--max-seconds needs --manifest");
        if (!inputs.fetched.empty()) refuse("--fetched needs --manifest");
    } else {
        const char* other = !inputs.files.empty()           ? "FILE"
                            : !inputs.lists.names.empty()   ? "--files-from"
                            : !line.baseline.file.empty()   ? "--baseline"
                            : !inputs.beside.empty()        ? "--with"
                            : !line.choices.readers.empty() ? "--for"
                                                            : nullptr;
        if (other != nullptr) refuse(fmt::format("--manifest and {} exclude each other", other));
    }
    if (std::ranges::count(inputs.files, "-") + std::ranges::count(inputs.lists.names, "-") +
            std::ranges::count(inputs.beside, "-") >
        1)
        refuse("standard input (-) can be given only once");
}

// Scripts read the first line.
std::string version_text() {
    const BuildInfo& info = build_info();
    return fmt::format("tracelint {}\ncommit: {}\nbuild: {}\nABI: {}\n", TRACELINT_VERSION, info.commit, info.build,
                       info.abi);
}

// Where no output was named, text goes to standard output.
void add_standard_output(std::vector<Output>& outputs) {
    if (outputs.empty()) add_output(outputs, "text");
}

// The parse_... functions return the text that answers --help, --version or --show-config, if one was given.
std::string parse_check(Arguments arguments, CheckLine& line) {
    bool version = false;
    OptionParser parser("Checks binary traces of runtimes and profilers, and shows where they are broken.",
                        "tracelint");
    parser.positionals("FILE", "traces, folders, or - for standard input",
                       [&](const std::string& word) { line.inputs.files.push_back(word); });
    add_check_options(parser, line);
    parser.flag("--version", version, "print version, commit, build and ABI", {}, OptionGroup::help);
    parser.introduction(kCheckHelp);
    parser.footer(kRulesHelp + ('\n' + kinds_help()));
    if (std::string help = parser.read(std::move(arguments)); !help.empty()) return help;
    apply_options(parser, line);
    if (version) return version_text();
    if (line.choices.list_readers) return reader_list();
    if (line.configuration.is_off && !line.configuration.file.empty())
        refuse("--config and --no-config exclude each other");
    const Configuration* const configuration = line.choices.configuration.get();
    if (line.configuration.is_shown) return shown_configuration(configuration, parser, line.choices.severities);
    if (line.inputs.files.empty() && line.inputs.lists.names.empty() && line.inputs.manifest.empty())
        refuse(line.inputs.beside.empty()
                   ? "no input given; expected: tracelint FILE...; tracelint --help lists options and commands"
                   : fmt::format("--with needs an input to compare with; expected: tracelint --with {} FILE",
                                 line.inputs.beside.front()));
    require_sound_inputs(line);
    require_sound_following(line);
    if (line.baseline.file.empty() && !parser.given("strict-baseline").empty())
        refuse("--strict-baseline needs --baseline");
    if (!line.inputs.manifest.empty())
        line.finding_options = finding_options(configuration, parser, line.choices.severities);
    add_standard_output(line.reporting.outputs);
    return {};
}

constexpr std::string_view kBaselineCommands[] = {"update", "check"};

// The differences go to standard output; the baseline is named without an option, and all of it is compared.
void refuse_what_an_update_ignores(const OptionParser& parser) {
    for (const std::string& word : parser.given("output"))
        if (word.find('=') == word.npos || word.ends_with("=-"))
            refuse(fmt::format("baseline: standard output has the differences; expected --output {}=FILE",
                               printable(word.substr(0, word.find('=')))));
    for (const std::string name : {"baseline", "strict-baseline"})
        if (!parser.given(name).empty())
            refuse(fmt::format("baseline: --{} is an option of check, not of baseline", name));
}

// `update BASELINE FILE...` or `check BASELINE FILE...`.
std::string parse_baseline(Arguments arguments, CheckLine& line) {
    std::vector<std::string>& given = arguments.words;
    // The table of options has those of update.
    if (arguments.table != nullptr) given = {"update"};
    const std::string word = given.empty() ? std::string() : given[0];
    const bool asks_for_help = word == "--help" || word == "-h";
    const auto named = std::ranges::find(kBaselineCommands, word);
    if (named == std::end(kBaselineCommands) && !asks_for_help)
        refuse(fmt::format("baseline: {}; expected baseline {} BASELINE FILE...{}",
                           word.empty() ? "update or check is missing" : "unknown command " + quoted_word(word),
                           either_of(kBaselineCommands), did_you_mean(word, kBaselineCommands)));
    if (!asks_for_help) given.erase(given.begin());
    BaselineChoice& baseline = line.baseline;
    baseline.use = word == "check" ? BaselineChoice::Use::compare : BaselineChoice::Use::update;
    OptionParser parser("Updates the list of known findings, or compares the findings with it.",
                        "tracelint baseline update|check");
    std::vector<std::string> words;
    parser.positionals("BASELINE FILE", "the baseline, then traces and folders",
                       [&](const std::string& positional) { words.push_back(positional); });
    if (baseline.use == BaselineChoice::Use::update) {
        parser.flag("--accept-new", baseline.accept_new, "add new findings to the baseline, or create it");
        parser.flag("--all-files", baseline.has_all_files,
                    "no other files exist: also lower entries whose patterns could match others");
        parser.option("--reason", "TEXT", "why the added findings are accepted",
                      [&](const std::string& reason) { baseline.reason = reason; });
    }
    add_check_options(parser, line);
    parser.footer(kRulesHelp +
                  ("\nStandard output has only the differences; reports go to output files.\n\n" + kinds_help()));
    OptionTable* const table = arguments.table;
    std::string help = parser.read(std::move(arguments));
    if (table != nullptr) table->subcommands.assign(std::begin(kBaselineCommands), std::end(kBaselineCommands));
    if (!help.empty()) return help;
    refuse_what_an_update_ignores(parser);
    apply_options(parser, line);
    if (!line.reporting.fail_on) refuse("baseline: with --fail-on never, no finding can be known");
    if (words.empty() || (words.size() < 2 && line.inputs.lists.names.empty()))
        refuse(fmt::format("no {} given; expected: tracelint baseline {} BASELINE FILE...",
                           words.empty() ? "baseline" : "input", word));
    baseline.file = words[0];
    line.inputs.files.assign(words.begin() + 1, words.end());
    require_sound_inputs(line);
    // Standard output has the differences.
    std::erase_if(line.reporting.outputs, [](const Output& output) { return output.file.empty(); });
    return {};
}

// --output of a command that writes one text.
void add_single_output(OptionParser& parser, std::vector<Output>& outputs, const std::string& doc,
                       const std::vector<std::string_view>& kinds = {"text", "json"}) {
    parser.option("--output", {"KIND[=FILE]", kinds}, doc,
                  [&outputs](const std::string& word) { add_output(outputs, word); });
}

Output single_output(std::vector<Output>& outputs, std::string_view command,
                     const std::vector<std::string_view>& kinds = {"text", "json"}) {
    add_standard_output(outputs);
    if (outputs.size() > 1) refuse(fmt::format("{} takes only one --output", command));
    const std::string_view kind = outputs.front().kind->name;
    if (std::ranges::find(kinds, kind) == kinds.end())
        refuse(fmt::format("--output: {} supports only {}", command, either_of(kinds)));
    return outputs.front();
}

std::string parse_rules(Arguments arguments, RulesLine& line) {
    OptionParser parser("Lists the rules.", "tracelint rules");
    std::vector<Output> outputs;
    add_single_output(parser, outputs, "text or json (default text), to standard output or FILE");
    add_options(parser, line.filter);
    parser.footer(kRulesHelp);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    line.output = single_output(outputs, "rules");
    return {};
}

std::string parse_explain(Arguments arguments, ExplainLine& line) {
    OptionParser parser("Explains a rule, or lists the rules that match a prefix or a part of an id.",
                        "tracelint explain");
    parser.positional("RULE", "a rule's id, such as input/unknown-format, a prefix (jitdump/) or a part (truncated)",
                      [&](const std::string& word) {
                          line.rules = rules_meant(word);
                          if (line.rules.empty()) refuse_rules(word);
                      });
    return parser.parse(std::move(arguments));
}

std::string parse_dump(Arguments arguments, DumpLine& line) {
    OptionParser parser("Prints the records of a trace without validating them.", "tracelint dump");
    parser.positional("FILE", "a trace, or - for standard input", [&](const std::string& word) { line.file = word; });
    line.kind = &dump_kinds().front();
    std::vector<std::string_view> kinds;
    for (const DumpKind& kind : dump_kinds()) kinds.push_back(kind.name);
    parser.option("--output", {"KIND", kinds}, either_of(kinds) + " (default text)",
                  [&](const std::string& word) { line.kind = &dump_kinds()[choice_of("--output", word, kinds)]; });
    parser.option("--around", "OFFSET", "print only the records around this offset, such as 0x1f40",
                  [&](const std::string& word) { line.selection.around = offset_of("--around", word); });
    parser.option("--records", "N..M", "print only these records, numbered as in records[N] of a finding",
                  [&](const std::string& word) { select_records(word, line.selection); });
    parser.option("--only", "NAME", "print only records of this name, such as JIT_CODE_LOAD; csv needs it",
                  [&](const std::string& word) { line.selection.kind = word; });
    add_options(parser, line.recognition);
    add_options(parser, line.limits, "--max-memory", "memory limit (default {})");
    add_options(parser, line.limits, "--max-record");
    add_options(parser, line.settings);
    std::string help = parser.parse(std::move(arguments));
    if (line.selection.around && (line.selection.first != 0 || line.selection.last != kNone))
        refuse("--around and --records exclude each other");
    if (help.empty() && line.kind->name == "csv" && line.selection.kind.empty())
        refuse("--output csv has the records of one name; --only gives it");
    return help;
}

std::string parse_salvage(Arguments arguments, SalvageLine& line) {
    OptionParser parser("Writes what can be trusted of a broken trace, as a trace without errors.",
                        "tracelint salvage");
    parser.positional("FILE", "a trace", [&](const std::string& word) { line.file = word; });
    parser.option("-o", "OUT", "the file to write; it is only written if it has no error",
                  [&](const std::string& word) {
                      require_file_name("-o", word, false);
                      line.new_file = word;
                  });
    std::vector<Output> outputs;
    add_single_output(parser, outputs,
                      "what was kept, left out and set: text or json (default text), to standard output or FILE");
    add_options(parser, line.recognition);
    add_options(parser, line.limits, "--max-memory", "memory limit (default {})");
    add_options(parser, line.limits, "--max-record");
    add_options(parser, line.settings);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.new_file.empty()) refuse("no output file given; expected: tracelint salvage FILE -o OUT");
    if (line.file == "-" || line.new_file == "-")
        refuse("salvage reads and writes files, not standard input or output");
    line.output = single_output(outputs, "salvage");
    return {};
}

uint64_t size_to_generate(const std::string& word) {
    constexpr uint64_t kMost = 256 * kMiB;  // the file is generated in memory
    const uint64_t size = size_of("--size", word);
    if (size > kMost)
        refuse(fmt::format("--size: {} is too large; the maximum is {}M", quoted_word(word), kMost / kMiB));
    return size;
}

ByteOrder byte_order_of(const std::string& word) {
    constexpr std::string_view kOrders[] = {"little", "big"};
    return choice_of("--byte-order", word, kOrders) == 0 ? ByteOrder::little : ByteOrder::big;
}

// The options that generate and mutate share.
void add_options(OptionParser& parser, FilesChoice& files, const std::string& rules_doc) {
    parser.option("--seed", "N", "seed of the generator (default 1); the same seed gives the same files",
                  [&](const std::string& word) { files.seed = number_of("--seed", word); });
    parser.option("--size", "BYTES", "approximate size of a generated file (default 4096)",
                  [&](const std::string& word) { files.size = size_to_generate(word); });
    parser.option("--byte-order", {"ORDER", {"little", "big"}}, "byte order of generated files (default any)",
                  [&](const std::string& word) { files.traits.byte_order = byte_order_of(word); });
    parser.option("--version", "N", "format version of generated files (default any)",
                  [&](const std::string& word) { files.traits.version = number_of("--version", word); });
    add_options(parser, files.limits, "--max-memory", "memory limit; files are built in memory (default {})");
    parser.option("--violate", "RULE", rules_doc, [&](const std::string& word) {
        files.violates_all = word == "all";
        files.violated = files.violates_all ? nullptr : rule_of(word);
    });
    parser.flag("--expected", files.lists_expected,
                "also write OUT/expected.json: the findings in each file, and what a reader must do with it");
}

void require_rule_of(const Format& format, const FilesChoice& files) {
    const std::vector<const Rule*> own = rules_of(format);
    if (files.violated != nullptr && std::ranges::find(own, files.violated) == own.end())
        refuse(fmt::format("--violate: {} is not a rule of {}", files.violated->id, format.id));
}

uint64_t count_of(const std::string& word) {
    constexpr uint64_t kMost = 1'000'000;
    const uint64_t count = number_of("--count", word);
    if (count == 0 || count > kMost) refuse(fmt::format("--count: {} is not from 1 to {}", quoted_word(word), kMost));
    return count;
}

std::string parse_generate(Arguments arguments, GenerateLine& line) {
    OptionParser parser("Writes traces that are valid or violate one rule in one place.", "tracelint generate");
    parser.positional("FORMAT", "id of the format, such as jitdump",
                      [&](const std::string& word) { line.format = format_of(word); });
    add_options(parser, line.files, "break this rule in one place; all: write a file for each rule");
    parser.option("--count", "N", "write N files, or with --violate N for each rule, into the folder OUT",
                  [&](const std::string& word) { line.files.count = count_of(word); });
    parser.option("-o", "OUT", "write to this file instead of standard output; a folder with --count or --violate all",
                  [&](const std::string& word) { line.files.out = word == "-" ? "" : word; });
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    require_rule_of(*line.format, line.files);
    if (line.fills_folder() && line.files.out.empty())
        refuse("generate: --count and --violate all write several files; -o names their folder");
    if (line.files.lists_expected && !line.fills_folder())
        refuse("generate: --expected needs --count or --violate all");
    return {};
}

std::string parse_mutate(Arguments arguments, MutateLine& line) {
    OptionParser parser("Writes traces that are broken in a few places, for tests of readers.", "tracelint mutate");
    parser.positional("FILE|FORMAT", "the trace to mutate, or the id of a format, whose traces are generated",
                      [&](const std::string& word) {
                          line.format = find_format(word);
                          if (line.format == nullptr) line.file = word;
                      });
    add_options(parser, line.files, "break only this rule, in one place; all: a file for each rule");
    parser.option("--count", "N", "how many files (default 100), or with --violate how many for each rule (default 1)",
                  [&](const std::string& word) { line.files.count = count_of(word); });
    parser.option("-o", "DIR", "the folder to write the files to", [&](const std::string& word) {
        require_file_name("-o", word, false);
        line.files.out = word;
    });
    add_options(parser, line.recognition);
    add_options(parser, line.settings);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.files.out.empty()) refuse("no folder given; expected: tracelint mutate FILE|FORMAT -o DIR");
    if (line.format != nullptr) {
        if (line.recognition.as != nullptr) refuse("--as is for files, and mutate got a format");
        require_rule_of(*line.format, line.files);
    } else if (line.files.traits.byte_order || line.files.traits.version || line.files.violates()) {
        refuse(fmt::format("--violate, --byte-order and --version are for generated files, and {} names a file",
                           quoted_word(line.file)));
    }
    return {};
}

std::string parse_dictionary(Arguments arguments, DictionaryLine& line) {
    OptionParser parser("Prints the values of a format for fuzzers, in the syntax of AFL++ and libFuzzer.",
                        "tracelint dictionary");
    parser.positional("FORMAT", "id of the format, such as jitdump",
                      [&](const std::string& word) { line.format = format_of(word); });
    return parser.parse(std::move(arguments));
}

std::string parse_describe(Arguments arguments, DescribeLine& line) {
    OptionParser parser("Prints the record tables of a format, for other tools.", "tracelint describe");
    parser.positional("FORMAT", "id of the format, such as jitdump",
                      [&](const std::string& word) { line.format = format_of(word); });
    parser.option("--output", {"KIND", {"json"}}, "json (default json)", [](const std::string& word) {
        constexpr std::string_view kKinds[] = {"json"};
        choice_of("--output", word, kKinds);
    });
    return parser.parse(std::move(arguments));
}

// Exit statuses, separated by commas.
void add_statuses(const std::string& word, std::vector<int>& statuses) {
    for (size_t start = 0; start <= word.size();) {
        const size_t end = std::min(word.find(',', start), word.size());
        const uint64_t status = number_of("--crash-status", word.substr(start, end - start));
        if (status > 255) refuse(fmt::format("--crash-status: {} is not from 0 to 255", status));
        statuses.push_back(static_cast<int>(status));
        start = end + 1;
    }
}

std::vector<std::string> words_of_command(const std::string& command) {
    try {
        return shell_words(command);
    } catch (const ShellFault& fault) {
        refuse(fmt::format("READER: {}", fault.message));
    }
}

std::string parse_conform(Arguments arguments, ConformLine& line) {
    const std::vector<std::string_view> kinds = {"text", "json", "junit"};
    OptionParser parser("Runs a reader over the conformance corpus, and lists what it gets wrong.",
                        "tracelint conform");
    std::vector<std::string> words;
    parser.positionals("READER FORMAT", "a command, in which {} stands for the file; the id of a format",
                       [&](const std::string& word) { words.push_back(word); });
    parser.option("--corpus", "DIR", "an exported corpus, or what generate or mutate wrote (default: built in)",
                  [&](const std::string& word) {
                      require_file_name("--corpus", word, false);
                      line.corpus = word;
                  });
    parser.option("--max-seconds", "N", "a run that takes longer hangs (default 10)", [&](const std::string& word) {
        line.seconds = number_of("--max-seconds", word);
        if (line.seconds == 0 || line.seconds > kMostSeconds)
            refuse(fmt::format("--max-seconds: {} is not from 1 to {}", quoted_word(word), kMostSeconds));
    });
    parser.option("--max-memory", "BYTES", "address space of a run (default 4G); 0: as much as there is",
                  [&](const std::string& word) { line.memory = size_of("--max-memory", word); });
    parser.option("--crash-status", "STATUS,...", "exit statuses that mean a crash, such as 2 for Go and 101 for Rust",
                  [&](const std::string& word) { add_statuses(word, line.crash_statuses); });
    line.jobs = jobs_of("0");
    parser.option("-j,--jobs", "N", "run N at a time (default 0: one per processor)",
                  [&](const std::string& word) { line.jobs = jobs_of(word); });
    std::vector<Output> outputs;
    add_single_output(parser, outputs, "text, json or junit (default text), to standard output or FILE", kinds);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (words.empty() || words.size() > 2)
        refuse("expected: tracelint conform 'READER {}' [FORMAT]; the command is one word, in quotes");
    line.command = words[0];
    line.words = words_of_command(words[0]);
    if (words.size() == 2) line.format = format_of(words[1]);
    line.output = single_output(outputs, "conform", kinds);
    return {};
}

std::string parse_merge(Arguments arguments, MergeLine& line) {
    OptionParser parser("Merges the results of a fleet.", "tracelint merge");
    parser.positionals("PART", "a part written by --manifest with --output ndjson=PART, or by merge --partial",
                       [&](const std::string& word) { line.parts.push_back(word); });
    add_options(parser, line.lists, "--files-from",
                "merge the parts that FILE lists, one per line (- is standard input)");
    add_options(parser, line.lists, "-0,--null", "the paths in --files-from end with NUL, not with a newline");
    parser.option("--expect-manifest", "FILE", "fail if the parts are not from this manifest",
                  [&](const std::string& word) {
                      require_file_name("--expect-manifest", word, false);
                      line.expected_manifest = word;
                  });
    parser.flag("--partial", line.partial, "allow missing shards; the result is a part that can be merged again");
    add_options(parser, line.reporting);
    parser.footer(kinds_help());
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.parts.empty() && line.lists.names.empty()) refuse("no part given; expected: tracelint merge PART...");
    if (line.lists.null_separated && line.lists.names.empty()) refuse("--null needs --files-from");
    add_standard_output(line.reporting.outputs);
    return {};
}

std::string parse_help(Arguments arguments, CheckLine& line) {
    arguments.words = {"--help"};
    return parse_check(std::move(arguments), line);
}

// Makes the line of a command, with the configuration if it is one that takes it.
template <class Line, std::string (*parse)(Arguments, Line&)>
std::string parse_into(Arguments arguments, std::shared_ptr<const Configuration> configuration, CommandLine& line) {
    Line& own = line.emplace<Line>();
    if constexpr (std::is_same_v<Line, CheckLine>) own.choices.configuration = std::move(configuration);
    return parse(std::move(arguments), own);
}

struct CommandParser {
    std::string_view name;
    std::string (*parse)(Arguments arguments, std::shared_ptr<const Configuration> configuration, CommandLine& line);
};

// In the order of help.
constexpr CommandParser kParsers[] = {
    {"check", parse_into<CheckLine, parse_check>},
    {"rules", parse_into<RulesLine, parse_rules>},
    {"explain", parse_into<ExplainLine, parse_explain>},
    {"dump", parse_into<DumpLine, parse_dump>},
    {"generate", parse_into<GenerateLine, parse_generate>},
    {"mutate", parse_into<MutateLine, parse_mutate>},
    {"dictionary", parse_into<DictionaryLine, parse_dictionary>},
    {"conform", parse_into<ConformLine, parse_conform>},
    {"describe", parse_into<DescribeLine, parse_describe>},
    {"baseline", parse_into<CheckLine, parse_baseline>},
    {"merge", parse_into<MergeLine, parse_merge>},
    {"salvage", parse_into<SalvageLine, parse_salvage>},
    {"help", parse_into<CheckLine, parse_help>},
};

}  // namespace

std::span<const std::string_view> command_names() {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(kParsers)> names;
        std::ranges::transform(kParsers, names.begin(), &CommandParser::name);
        return names;
    }();
    return kNames;
}

OptionTable options_of(std::string_view command) {
    OptionTable table;
    CommandLine scratch;
    std::ranges::find(kParsers, command, &CommandParser::name)->parse({.words = {}, .table = &table}, nullptr, scratch);
    return table;
}

Parsed parse_command_line(std::vector<std::string> arguments, std::shared_ptr<const Configuration> configuration) {
    Parsed parsed;
    const CommandParser* chosen = &kParsers[0];
    if (!arguments.empty()) {
        const auto named = std::ranges::find(kParsers, arguments[0], &CommandParser::name);
        if (named != std::end(kParsers)) {
            chosen = named;
            arguments.erase(arguments.begin());
        }
    }
    try {
        parsed.answer = chosen->parse({std::move(arguments)}, std::move(configuration), parsed.command_line);
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
