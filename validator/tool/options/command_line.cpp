// The commands, and the errors of a wrong command line.
#include "validator/tool/options/command_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <new>

#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/build_info.hpp"
#include "validator/tool/options/command_parsers.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {

void add_standard_output(std::vector<Output>& outputs) {
    if (outputs.empty()) add_output(outputs, "text");
}

void add_single_output(OptionParser& parser, std::vector<Output>& outputs, const std::string& doc,
                       const std::vector<std::string_view>& kinds) {
    parser.option("--output", {"KIND[=FILE]", kinds}, doc,
                  [&outputs](const std::string& word) { add_output(outputs, word); });
}

Output single_output(std::vector<Output>& outputs, std::string_view command,
                     const std::vector<std::string_view>& kinds) {
    add_standard_output(outputs);
    if (outputs.size() > 1) refuse(fmt::format("{} takes only one --output", command));
    const std::string_view kind = outputs.front().kind->name;
    if (std::ranges::find(kinds, kind) == kinds.end())
        refuse(fmt::format("--output: {} supports only {}", command, either_of(kinds)));
    return outputs.front();
}

namespace {

constexpr const char* kCheckHelp = R"(Examples:
  tracelint app.dump                what is wrong with a trace, and where
  tracelint --for perf app.dump     what perf does with it
  tracelint --fail-on warning d/    a gate in CI, over all files in a folder

Commands:
  check FILE...             check files; the same as without a command
  rules, explain RULE       list the rules; show what one requires, and why
  dump FILE                 print the records of a trace, field by field
  salvage FILE -o OUT       write the sound part of a broken trace
  shrink, report FILE       write the smallest trace with a finding; write it up
  generate, mutate FORMAT   write valid traces and broken ones
  describe, dictionary      the layout of records; the values that fuzzers need
  conform 'READER {}'       run a reader over the conformance corpus
  baseline update|check     record the known findings, or compare with them
  merge PART...             merge the results of a fleet

Exit status: 0 ok; 1 findings from --fail-on on; 2 usage error; 3 an input is
unreadable; 4 not everything was checked. If several apply: 2, 4, 3, 1, 0.
)";

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

// The parse_... functions return the text that answers --help, --version or --show-config, if one was given.
std::string parse_check(Arguments arguments, CheckLine& line) {
    bool version = false;
    OptionParser parser("Checks binary traces of runtimes and profilers, and shows where they are broken.",
                        "tracelint");
    parser.positionals("FILE", "traces, folders, or - for standard input",
                       [&](const std::string& word) { line.inputs.files.push_back(word); });
    add_check_options(parser, line);
    parser.flag("-V,--version", version, "print version, commit, build and ABI", {}, OptionGroup::help);
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

std::string parse_rules(Arguments arguments, RulesLine& line) {
    OptionParser parser("Lists the rules.", "tracelint rules");
    std::vector<Output> outputs;
    parser.positionals("RULE", "list only these: ids or prefixes, such as jitdump/",
                       [&](const std::string& word) { take_selected(line.filter, "rules", word); });
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
    bool has_kind = false;
    parser.option("--output", {"KIND", kinds}, either_of(kinds) + " (default text)", [&](const std::string& word) {
        line.kind = &dump_kinds()[choice_of("--output", word, kinds)];
        has_kind = true;
    });
    parser.option("--around", "OFFSET", "print only the records around this offset, such as 0x1f40",
                  [&](const std::string& word) { line.selection.around = offset_of("--around", word); });
    parser.option("--records", "N..M", "print only these records, numbered as in records[N] of a finding",
                  [&](const std::string& word) { select_records(word, line.selection); });
    parser.option("--only", "NAME", "print only records of this name, such as JIT_CODE_LOAD; csv needs it",
                  [&](const std::string& word) { line.selection.kind = word; });
    std::optional<std::string> field;
    parser.option("--field", "NAME", "print only this field, and all of it: code, entries[2].line or records[7].code",
                  [&](const std::string& word) { field = word; });
    parser.flag("--bytes", line.writes_bytes, "write the bytes of --field as they are");
    parser.option("-o", "OUT", "write to this file instead of standard output", [&](const std::string& word) {
        require_file_name("-o", word, false);
        line.new_file = word == "-" ? "" : word;
    });
    Reporting reporting;
    add_options(parser, reporting, "--color");
    add_options(parser, line.recognition);
    add_options(parser, line.limits, "--max-memory", "memory limit (default {})");
    add_options(parser, line.limits, "--max-record");
    add_options(parser, line.settings);
    std::string help = parser.parse(std::move(arguments));
    if (!help.empty()) return help;
    line.colour = reporting.colour;
    const bool has_records = line.selection.first != 0 || line.selection.last != kNone;
    const bool names_record = field && field->starts_with("records[");
    if (field) select_field(*field, line.selection);
    if (has_records && names_record) refuse("--field names a record, and --records names others; give one of them");
    if (line.writes_bytes && !field) refuse("--bytes needs --field");
    if (line.writes_bytes && has_kind) refuse("--bytes and --output exclude each other");
    if (line.selection.around && (has_records || names_record))
        refuse(fmt::format("--around and {} exclude each other", has_records ? "--records" : "the record of --field"));
    if (line.kind->name == "csv" && line.selection.kind.empty())
        refuse("--output csv has the records of one name; --only gives it");
    return help;
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
    {"shrink", parse_into<ShrinkLine, parse_shrink>},
    {"report", parse_into<ReportLine, parse_report>},
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

std::string guess_command(std::string_view word) {
    if (std::ranges::find(command_names(), word) != command_names().end())
        return fmt::format("; a command precedes its options: tracelint {} ...", word);
    for (const std::string_view other : {"validate", "lint", "verify", "test", "scan"})
        if (word == other) return "; to check files, no command is needed: tracelint FILE...";
    if (word == "version") return "; did you mean 'tracelint --version'?";
    if (word.starts_with("completion")) return "; completions for bash, zsh and fish come with the packages";
    return did_you_mean(word, command_names());
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
