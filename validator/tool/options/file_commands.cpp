// The commands that make files: parts of a broken trace, and files that test readers.
#include <fmt/core.h>

#include <algorithm>

#include "validator/generator/wrapped.hpp"
#include "validator/tool/conformance/shell_words.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_parsers.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMostSeconds = 86'400;  // of a run of conform: a day

// "RULE" or "RULE@OFFSET".
void take_finding(const std::string& option, const std::string& word, Shrinking& shrinking) {
    const size_t at = word.find('@');
    shrinking.rule = rule_of(word.substr(0, at));
    if (at != word.npos) shrinking.offset = offset_of(option, word.substr(at + 1));
}

void add_shrinking(OptionParser& parser, Shrinking& shrinking) {
    parser.option("--max-seconds", "N", "end after so many seconds with the smallest file so far (default 300)",
                  [&](const std::string& word) { shrinking.max_seconds = number_of("--max-seconds", word); });
    add_options(parser, shrinking.recognition);
    add_options(parser, shrinking.limits, "--max-memory", "memory limit (default {})");
    add_options(parser, shrinking.limits, "--max-record");
    add_options(parser, shrinking.settings);
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

bool is_yes(const std::string& option, const std::string& word) {
    constexpr std::string_view kAnswers[] = {"no", "yes"};
    return choice_of(option, word, kAnswers) == 1;
}

Container container_of(const std::string& word) {
    return static_cast<Container>(choice_of("--container", word, kContainerNames));
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
    parser.option("--extensions", {"CHOICE", {"yes", "no"}},
                  "whether generated files have records of extensions, such as samply's in jitdump (default any)",
                  [&](const std::string& word) { files.traits.extensions = is_yes("--extensions", word); });
    parser.option("--container", {"KIND", {kContainerNames.begin(), kContainerNames.end()}},
                  "put the files into this container (default none)",
                  [&](const std::string& word) { files.container = container_of(word); });
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

}  // namespace

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

std::string parse_shrink(Arguments arguments, ShrinkLine& line) {
    OptionParser parser("Writes the smallest trace that still has a finding.", "tracelint shrink");
    Shrinking& shrinking = line.shrinking;
    parser.positional("FILE", "a trace", [&](const std::string& word) { shrinking.file = word; });
    parser.option("--keep", "RULE[@OFFSET]", "the finding to keep: of this rule, or the one at this offset",
                  [&](const std::string& word) { take_finding("--keep", word, shrinking); });
    parser.option("-o", "OUT", "the file to write", [&](const std::string& word) {
        require_file_name("-o", word, false);
        line.new_file = word;
    });
    parser.flag("--redact", line.redacts, "replace names, paths, code and payloads");
    std::vector<Output> outputs;
    add_single_output(parser, outputs, "what was done: text or json (default text), to standard output or FILE");
    add_shrinking(parser, shrinking);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (shrinking.rule == nullptr) refuse("no finding given; expected: tracelint shrink FILE --keep RULE -o OUT");
    if (line.new_file.empty()) refuse("no output file given; expected: tracelint shrink FILE --keep RULE -o OUT");
    if (shrinking.file == "-" || line.new_file == "-")
        refuse("shrink reads and writes files, not standard input or output");
    line.output = single_output(outputs, "shrink");
    return {};
}

std::string parse_report(Arguments arguments, ReportLine& line) {
    OptionParser parser("Writes a finding up for an issue tracker, with the smallest file that has it.",
                        "tracelint report");
    Shrinking& shrinking = line.shrinking;
    parser.positional("FILE", "a trace", [&](const std::string& word) { shrinking.file = word; });
    parser.positional("RULE", "a rule that the trace breaks; RULE@OFFSET means the finding at this offset",
                      [&](const std::string& word) { take_finding("RULE", word, shrinking); });
    parser.option("-o", "FILE", "write to FILE instead of standard output",
                  [&](const std::string& word) { line.new_file = word == "-" ? "" : word; });
    add_shrinking(parser, shrinking);
    if (std::string help = parser.parse(std::move(arguments)); !help.empty()) return help;
    if (shrinking.file == "-") refuse("report reads a file, not standard input");
    return {};
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
    } else if (line.files.traits != FileTraits() || line.files.violates()) {
        refuse(
            fmt::format("--violate, --byte-order, --version and --extensions are for generated files, and {} names a "
                        "file",
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
    line.kind = &description_kinds().front();
    std::vector<std::string_view> kinds;
    std::string tools;
    for (const DescriptionKind& kind : description_kinds()) {
        kinds.push_back(kind.name);
        if (!kind.tool.empty()) tools += fmt::format("; {} is for {}", kind.name, kind.tool);
    }
    parser.option(
        "--output", {"KIND", kinds}, either_of(kinds) + tools + " (default json)",
        [&](const std::string& word) { line.kind = &description_kinds()[choice_of("--output", word, kinds)]; });
    return parser.parse(std::move(arguments));
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
    parser.option("--max-seconds", "N", "a run that takes longer counts as hung (default 10)",
                  [&](const std::string& word) {
                      line.seconds = number_of("--max-seconds", word);
                      if (line.seconds == 0 || line.seconds > kMostSeconds)
                          refuse(fmt::format("--max-seconds: {} is not from 1 to {}", quoted_word(word), kMostSeconds));
                  });
    parser.option("--max-memory", "BYTES", "address space of a run (default 4G); 0: as much as there is",
                  [&](const std::string& word) { line.memory = size_of("--max-memory", word); });
    parser.option("--crash-status", "STATUS,...", "exit statuses that mean a crash, such as 2 for Go and 101 for Rust",
                  [&](const std::string& word) { add_statuses(word, line.crash_statuses); });
    parser.flag("--no-sandbox", line.without_sandbox,
                "let the reader write files outside of its scratch folder, and use the network");
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

}  // namespace tracelint
