// Options and commands, read with CLI11; guesses at what was meant.
#include "validator/tool/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

constexpr std::string_view kCommands[] = {"rules", "explain", "dump", "generate"};

constexpr const char* kCommandsHelp = R"(Commands (as the first argument; a file of that name is ./rules):
  rules                       the catalogue of rules
  explain RULE                what a rule demands, why, and the smallest bytes that violate it
  dump FILE                   the records of a trace: offset, bytes, field, value, meaning
  generate FORMAT             a valid trace, or one with a known fault

Exit status: 0 clean, 1 findings at or above --fail-on, 2 wrong usage, 3 an input could not be
read, 4 internal error, a limit was hit, or the output was closed before every input was
checked. When several apply: 2, 4, 3, 1, 0.)";

// A wrong command line; caught where parsing begins.
struct UsageError {
    std::string message;
};

[[noreturn]] void refuse(std::string message) { throw UsageError{std::move(message)}; }

std::string shown(std::string_view word) { return '\'' + printable(word) + '\''; }

std::vector<std::string_view> rule_ids() {
    std::vector<std::string_view> ids;
    for (const Rule* rule : all_rules()) ids.push_back(rule->id);
    return ids;
}

// Ids, and slugs that people type without the format before them.
std::string guess_rule(std::string_view word) {
    const std::vector<std::string_view> ids = rule_ids();
    for (const std::string_view id : ids)
        if (id.substr(id.find('/') + 1) == word) return "; did you mean '" + std::string(id) + "'?";
    return did_you_mean(word, ids);
}

const Rule* rule_of(const std::string& word) {
    const Rule* rule = find_rule(word);
    if (rule == nullptr) refuse("there is no rule " + shown(word) + guess_rule(word));
    return rule;
}

// A rule or the start of one.
void require_rules(const std::string& option, const std::string& prefix) {
    const std::vector<const Rule*> rules = all_rules();
    const auto covered = [&](const Rule* rule) { return RuleFilter::covers(prefix, *rule); };
    if (std::any_of(rules.begin(), rules.end(), covered)) return;
    refuse(option + ": " + shown(prefix) + " is neither a rule nor a start of rules up to a slash or dash" +
           guess_rule(prefix));
}

const Format* format_of(const std::string& word) {
    const Format* format = find_format(word);
    if (format != nullptr) return format;
    std::vector<std::string_view> ids;
    for (const Format* known : formats()) ids.push_back(known->id);
    std::string message = "there is no format " + shown(word) + ", only";
    for (const std::string_view id : ids) message.append(id == ids[0] ? " " : ", ").append(id);
    refuse(message + did_you_mean(word, ids));
}

template <class Value>
struct Choice {
    std::string_view word;
    Value value;
};

// The number of the choice.
size_t choice_of(const std::string& option, const std::string& word, std::span<const std::string_view> choices) {
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
    std::string message = option + ": " + shown(word) + " is none of";
    for (const std::string_view known : choices) message.append(known == choices[0] ? " " : ", ").append(known);
    refuse(message + did_you_mean(word, {choices.begin(), choices.end()}));
}

template <class Value, size_t N>
Value choose(const std::string& option, const std::string& word, const Choice<Value> (&choices)[N]) {
    std::vector<std::string_view> words;
    for (const Choice<Value>& choice : choices) words.push_back(choice.word);
    return choices[choice_of(option, word, words)].value;
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
        refuse(option + ": " + shown(word) + " is no number of bytes, such as 4096, 64K, 16M or 1G");
    return bytes;
}

uint64_t number_of(const std::string& option, const std::string& word) {
    uint64_t number = 0;
    const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || !parse_size(word, number)) refuse(option + ": " + shown(word) + " is no number");
    return number;
}

Output output_of(const std::string& word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    Output output{find_writer_kind(name), {}};
    if (output.kind == nullptr) {
        std::vector<std::string_view> names;
        std::string message = "--output: " + shown(name) + " is none of";
        for (const WriterKind& kind : writer_kinds()) {
            message.append(names.empty() ? " " : ", ").append(kind.name);
            names.push_back(kind.name);
        }
        refuse(message + did_you_mean(name, names));
    }
    if (equals != std::string::npos) {
        output.file = word.substr(equals + 1);
        if (output.file.empty()) refuse("--output: a file name is missing behind " + shown(word));
        if (output.file == "-") output.file.clear();
    }
    return output;
}

void add_output(std::vector<Output>& outputs, Output output) {
    for (const Output& before : outputs) {
        if (before.file != output.file) continue;
        refuse("--output: two outputs to " + (output.file.empty() ? "standard output" : shown(output.file)));
    }
    outputs.push_back(std::move(output));
}

// An app of CLI11 that knows what to do with each option's words.
class Parser {
  public:
    explicit Parser(std::string description, const std::string& name) : app_(std::move(description), name) {
        app_.allow_extras();  // refused here, with a guess
        app_.set_help_flag("-h,--help", "this text");
    }

    // `take` receives each word given to the option.
    void option(const std::string& names, const std::string& value, const std::string& doc,
                std::function<void(const std::string&)> take) {
        const auto take_all = [take = std::move(take)](const CLI::results_t& words) {
            for (const std::string& word : words) take(word);
            return true;
        };
        app_.add_option(names, take_all, doc)
            ->type_name(value)
            ->type_size(1)
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->allow_extra_args(false);
    }
    void flag(const std::string& names, bool& value, const std::string& doc) { app_.add_flag(names, value, doc); }
    void positional(const std::string& value, const std::string& doc, std::string& word) {
        app_.add_option(value, word, doc)->type_name("")->required();
    }
    void positionals(const std::string& value, const std::string& doc, std::vector<std::string>& words) {
        app_.add_option(value, words, doc)->type_name("");
    }
    void footer(const std::string& text) { app_.footer(text); }

    // False where help was asked for and is now in `answer`.
    bool parse(std::vector<std::string> arguments, std::string& answer) {
        std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
        try {
            app_.parse(std::move(arguments));
        } catch (const CLI::CallForHelp&) {
            answer = app_.help();
            return false;
        } catch (const CLI::ParseError& error) {
            refuse(printable(error.what()));
        }
        for (const std::string& extra : app_.remaining())
            if (extra != "--") refuse_extra(extra);  // CLI11 leaves the mark itself over
        return true;
    }

  private:
    [[noreturn]] void refuse_extra(const std::string& extra) const {
        if (!extra.starts_with('-')) refuse("unexpected argument " + shown(extra));
        std::vector<std::string> names;
        for (const CLI::Option* option : app_.get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        const std::vector<std::string_view> views(names.begin(), names.end());
        const std::string word = extra.substr(0, extra.find('='));
        refuse("unknown option " + shown(word) + did_you_mean(word, views));
    }

    CLI::App app_;
};

std::string default_size(uint64_t bytes) { return " (default " + std::to_string(bytes / kMiB) + "M)"; }

// The options that the grammars bring along.
void add_settings(Parser& parser, CommandLine& line) {
    for (const Option* option : all_options()) {
        const std::string name = "--" + std::string(option->name);
        std::string choices;
        for (const std::string_view choice : option->choices) choices.append(choices.empty() ? "" : "|").append(choice);
        const std::string doc =
            choices + " (default " + std::string(option->choices[0]) + "): " + std::string(option->doc);
        parser.option(name, "CHOICE", doc, [&line, option, name](const std::string& word) {
            line.settings.set(*option, choice_of(name, word, option->choices));
        });
    }
}

void add_limits(Parser& parser, CommandLine& line) {
    parser.option("--max-record", "BYTES",
                  "longest record that is looked at as a whole" + default_size(Limits{}.record),
                  [&](const std::string& word) { line.limits.record = size_of("--max-record", word); });
}

void add_as(Parser& parser, CommandLine& line) {
    parser.option("--as", "FORMAT", "take the input for this format instead of recognising it",
                  [&](const std::string& word) { line.as = format_of(word); });
}

void add_rule_filters(Parser& parser, CommandLine& line) {
    const auto each = [](const std::string& option, const std::string& list, const auto& take) {
        for (size_t start = 0; start <= list.size();) {
            const size_t comma = std::min(list.find(',', start), list.size());
            const std::string prefix = list.substr(start, comma - start);
            require_rules(option, prefix);
            take(prefix);
            start = comma + 1;
        }
    };
    const std::string rule_lists = "comma lists; a rule, or its beginning up to a slash or dash";
    parser.option("--select", "RULE", "only these rules take part; " + rule_lists,
                  [&line, each](const std::string& list) {
                      each("--select", list, [&](const std::string& prefix) { line.filter.select(prefix); });
                  });
    parser.option("--ignore", "RULE", "these rules take no part; " + rule_lists,
                  [&line, each](const std::string& list) {
                      each("--ignore", list, [&](const std::string& prefix) { line.filter.ignore(prefix); });
                  });
}

void add_reporting(Parser& parser, CommandLine& line) {
    std::string kinds;
    for (const WriterKind& kind : writer_kinds()) kinds.append(kinds.empty() ? "" : "|").append(kind.name);
    parser.option("--output", "KIND[=FILE]", kinds + " (default text), to standard output or FILE; may be repeated",
                  [&](const std::string& word) { add_output(line.outputs, output_of(word)); });
    parser.option("--fail-on", "SEVERITY", "error|warning|note|never: what makes the exit status 1 (default error)",
                  [&](const std::string& word) { line.fail_on = choose("--fail-on", word, kFailOn); });
    parser.option("--min-severity", "SEVERITY", "error|warning|note: what is shown at least (default note)",
                  [&](const std::string& word) { line.min_severity = choose("--min-severity", word, kSeverities); });
    parser.option("--max-per-rule", "N",
                  "findings shown of one rule and file (default " + std::to_string(kShownPerRule) +
                      ", 0 for all that are kept, " + std::to_string(kKeptFindings) + "); all are counted",
                  [&](const std::string& word) { line.max_per_rule = number_of("--max-per-rule", word); });
    parser.flag("--quiet", line.quiet, "nothing on standard output; the exit status and FILEs remain");
    parser.flag("--statistics", line.statistics, "numbers of records in text output");
    parser.option("--color", "WHEN", "auto|always|never (default auto; NO_COLOR is respected)",
                  [&](const std::string& word) { line.colour = choose("--color", word, kColours); });
}

unsigned jobs_of(const std::string& word) {
    constexpr uint64_t kMostJobs = 256;
    const uint64_t jobs = number_of("-j", word);
    if (jobs == 0) return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::min(jobs, kMostJobs));
}

void parse_check(std::vector<std::string> arguments, Parsed& parsed) {
    CommandLine& line = parsed.command_line;
    bool version = false;
    Parser parser("Checks binary traces of runtimes and profilers against the rules of their formats.", "tracelint");
    parser.positionals("FILE", "files, folders (every file in them), or - for standard input", line.files);
    add_as(parser, line);
    add_reporting(parser, line);
    add_rule_filters(parser, line);
    parser.option("--max-memory", "BYTES", "memory for what is remembered about a file" + default_size(Limits{}.memory),
                  [&](const std::string& word) { line.limits.memory = size_of("--max-memory", word); });
    add_limits(parser, line);
    add_settings(parser, line);
    parser.option("-j", "N", "files checked at the same time (default 1, 0 for as many as there are processors)",
                  [&](const std::string& word) { line.jobs = jobs_of(word); });
    parser.flag("--version", version, "name and version");
    parser.footer(kCommandsHelp);
    if (!parser.parse(std::move(arguments), parsed.answer)) return;
    if (version) {
        parsed.answer = "tracelint " TRACELINT_VERSION "\n";
        return;
    }
    if (line.files.empty()) refuse("no FILE given; tracelint --help shows the options");
    if (std::count(line.files.begin(), line.files.end(), "-") > 1) refuse("standard input can be read only once");
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
}

void parse_rules(std::vector<std::string> arguments, Parsed& parsed) {
    CommandLine& line = parsed.command_line;
    Parser parser("Lists every rule.", "tracelint rules");
    parser.option("--output", "KIND[=FILE]", "text|json (default text), to standard output or FILE",
                  [&](const std::string& word) { add_output(line.outputs, output_of(word)); });
    add_rule_filters(parser, line);
    if (!parser.parse(std::move(arguments), parsed.answer)) return;
    if (line.outputs.empty()) line.outputs.push_back({find_writer_kind("text"), {}});
    if (line.outputs.size() > 1) refuse("rules has one --output");
    const std::string_view kind = line.outputs[0].kind->name;
    if (kind != "text" && kind != "json") refuse("--output: rules come as text or json");
}

void parse_explain(std::vector<std::string> arguments, Parsed& parsed) {
    std::string word;
    Parser parser("Explains a rule.", "tracelint explain");
    parser.positional("RULE", "the rule's id, such as input/unknown-format", word);
    if (!parser.parse(std::move(arguments), parsed.answer)) return;
    parsed.command_line.rule = rule_of(word);
}

void parse_dump(std::vector<std::string> arguments, Parsed& parsed) {
    CommandLine& line = parsed.command_line;
    std::string file;
    Parser parser("Shows the records of a trace, without judging them.", "tracelint dump");
    parser.positional("FILE", "a trace, or - for standard input", file);
    add_as(parser, line);
    add_limits(parser, line);
    add_settings(parser, line);
    if (!parser.parse(std::move(arguments), parsed.answer)) return;
    line.files = {file};
}

// The file is made in memory.
uint64_t size_to_generate(const std::string& word) {
    constexpr uint64_t kMost = 256 * kMiB;
    const uint64_t size = size_of("--size", word);
    if (size > kMost) refuse("--size: at most " + std::to_string(kMost / kMiB) + "M can be generated");
    return size;
}

void parse_generate(std::vector<std::string> arguments, Parsed& parsed) {
    CommandLine& line = parsed.command_line;
    std::string word_of_format;
    Parser parser("Writes a trace that is valid, or broken in one known place.", "tracelint generate");
    parser.positional("FORMAT", "the format's id", word_of_format);
    parser.option("--seed", "N", "the same seed gives the same file (default 1)",
                  [&](const std::string& word) { line.seed = number_of("--seed", word); });
    parser.option("--size", "BYTES", "how long the file becomes, roughly (default 4096)",
                  [&](const std::string& word) { line.size = size_to_generate(word); });
    parser.option("--violate", "RULE", "break this rule in one place",
                  [&](const std::string& word) { line.rule = rule_of(word); });
    parser.option("-o", "FILE", "write to FILE instead of standard output",
                  [&](const std::string& word) { line.generate_to = word == "-" ? "" : word; });
    if (!parser.parse(std::move(arguments), parsed.answer)) return;
    line.format = format_of(word_of_format);
    const std::vector<const Rule*> own = rules_of(*line.format);
    if (line.rule != nullptr && std::find(own.begin(), own.end(), line.rule) == own.end())
        refuse("--violate: " + std::string(line.rule->id) + " is no rule of " + std::string(line.format->id));
}

struct CommandParser {
    Command command;
    void (*parse)(std::vector<std::string> arguments, Parsed& parsed);
};

// In the order of kCommands.
constexpr CommandParser kParsers[] = {{Command::rules, parse_rules},
                                      {Command::explain, parse_explain},
                                      {Command::dump, parse_dump},
                                      {Command::generate, parse_generate}};

}  // namespace

std::span<const std::string_view> command_names() { return kCommands; }

Parsed parse_command_line(std::vector<std::string> arguments) {
    Parsed parsed;
    CommandParser chosen{Command::check, parse_check};
    if (!arguments.empty()) {
        const auto named = std::find(std::begin(kCommands), std::end(kCommands), arguments[0]);
        if (named != std::end(kCommands)) {
            chosen = kParsers[named - std::begin(kCommands)];
            arguments.erase(arguments.begin());
        }
    }
    parsed.command_line.command = chosen.command;
    try {
        chosen.parse(std::move(arguments), parsed);
    } catch (const UsageError& error) {
        parsed.error = error.message;
    } catch (const std::bad_alloc&) {
        throw;  // no fault of the words
    } catch (const std::exception& error) {
        parsed.error = printable(error.what());
    }
    return parsed;
}

}  // namespace tracelint
