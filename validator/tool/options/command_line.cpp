// The commands, and the errors of a wrong command line.
#include "validator/tool/options/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <new>

#include "validator/tool/json/text.hpp"
#include "validator/tool/options/build_info.hpp"
#include "validator/tool/options/check_options.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_words.hpp"
#include "validator/tool/options/reader_choice.hpp"

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
        if (line.max_seconds != 0) refuse("--max-seconds needs --manifest");
        if (!line.fetched.empty()) refuse("--fetched needs --manifest");
    } else {
        const char* other = !line.files.empty()        ? "FILE"
                            : !line.file_lists.empty() ? "--files-from"
                            : !line.baseline.empty()   ? "--baseline"
                            : !line.beside.empty()     ? "--with"
                            : !line.readers.empty()    ? "--for"
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
    if (line.baseline.empty() && !parser.given("strict-baseline").empty())
        refuse("--strict-baseline says how --baseline counts; it is missing");
    if (!line.manifest.empty())
        line.finding_options = finding_options(line.configuration.get(), parser, line.severities);
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
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
        if (!parser.given(name).empty()) refuse(fmt::format("baseline: --{} is for checks", name));
}

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
                           word.empty() ? "update or check is missing" : "unknown command " + quoted_word(word),
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
        parser.flag("--all-files", line.has_all_files,
                    "the files are all that there are: also shrink entries whose patterns may match others");
        parser.option("--reason", "TEXT", "why the findings that are added are accepted",
                      [&](const std::string& reason) { line.reason = reason; });
    }
    add_check_options(parser, line);
    parser.footer(kRulesHelp +
                  ("\n\nStandard output has the differences alone; reports go to output files.\n\n" + kinds_help()));
    OptionTable* const table = arguments.table;
    std::string help = parser.read(std::move(arguments));
    if (table != nullptr) table->subcommands.assign(std::begin(kBaselineCommands), std::end(kBaselineCommands));
    if (!help.empty()) return help;
    refuse_what_an_update_ignores(parser);
    apply_options(parser, line);
    if (!line.fail_on) refuse("baseline: --fail-on never leaves no finding that could be known");
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
                          if (find_rule(word) == nullptr) refuse_rules(word);
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
    if (size > kMost)
        refuse(fmt::format("--size: {} is too large; the maximum is {}M", quoted_word(word), kMost / kMiB));
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
    add_file_lists(parser, line, "merge the parts that FILE lists, one a line (- for standard input)");
    parser.flag("-0,--null", line.null_separated, "what --files-from reads ends in NULs");
    parser.option("--expect-manifest", "FILE", "the parts must be of this manifest", [&](const std::string& word) {
        if (word.empty()) refuse("--expect-manifest: file name missing");
        line.expected_manifest = word;
    });
    parser.flag("--partial", line.partial, "shards may be missing; the result is a part that can be merged again");
    add_reporting(parser, line);
    parser.footer(kinds_help());
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (line.parts.empty() && line.file_lists.empty()) refuse("no part given; expected: tracelint merge PART...");
    if (line.null_separated && line.file_lists.empty()) refuse("--null says how --files-from reads; it is missing");
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
