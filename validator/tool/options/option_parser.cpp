// The only file that includes CLI11.
#include "validator/tool/options/option_parser.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

// A row of help, in 80 columns: what is explained, and the text beside or below it.
std::string help_row(std::string_view term, std::string_view text) {
    constexpr size_t kWidth = 80, kTextColumn = 28;
    const std::string start = fmt::format("  {:<{}}", term, kTextColumn - 2);
    if (start.size() == kTextColumn) return wrapped(start, text, kTextColumn, kWidth);
    return start + '\n' + wrapped(std::string(kTextColumn, ' '), text, kTextColumn, kWidth);
}

CLI::callback_t for_each_word(OptionParser::Take take) {
    return [take = std::move(take)](const CLI::results_t& words) {
        for (const std::string& word : words) take(word);
        return true;
    };
}

// "-j,--jobs" as two names.
std::vector<std::string> split_names(const std::string& names) {
    const size_t comma = names.find(',');
    if (comma == std::string::npos) return {names};
    return {names.substr(0, comma), names.substr(comma + 1)};
}

}  // namespace

OptionParser::OptionParser(std::string description, const std::string& program)
    : app_(std::make_unique<CLI::App>(std::move(description), program)) {
    app_->allow_extras();  // refuse_extra() refuses them, with a suggestion
    constexpr const char *kHelp = "-h,--help", *kHelpDoc = "print this help";
    app_->set_help_flag(kHelp, kHelpDoc);
    table_ = {app_->get_name(),
              app_->get_description(),
              {{split_names(kHelp), "", kHelpDoc, {}, false, {}, OptionGroup::help}},
              {}};
}

OptionParser::~OptionParser() = default;

void OptionParser::option(const std::string& names, const OptionValue& value, const std::string& doc, Take take,
                          const OptionFacts& facts, OptionGroup group) {
    CLI::Option* const option = app_->add_option(names, [](const CLI::results_t&) { return true; }, doc);
    option->type_name(value.name)
        ->type_size(1)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    add(option, nullptr, std::move(take));
    table_.options.push_back({split_names(names), value.name, doc, value.choices, false, facts, group});
}

void OptionParser::flag(const std::string& names, bool& value, const std::string& doc, const OptionFacts& facts,
                        OptionGroup group) {
    add(app_->add_flag_callback(names, [&value] { value = true; }, doc), &value, {});
    table_.options.push_back({split_names(names), "", doc, {}, false, facts, group});
}

void OptionParser::add(CLI::Option* option, bool* flag, Take take) {
    const std::vector<std::string>& names = option->get_lnames();
    known_.push_back({names.empty() ? "" : names[0], option, flag, std::move(take)});
}

const OptionParser::Known* OptionParser::find(const std::string& name) const {
    const auto found = std::ranges::find(known_, name, &Known::name);
    return name.empty() || found == known_.end() ? nullptr : &*found;
}

const OptionRow* OptionParser::row(const std::string& name) const {
    const auto found = std::ranges::find(table_.options, name, &OptionRow::name);
    return found == table_.options.end() ? nullptr : &*found;
}

std::vector<std::string> OptionParser::names() const {
    std::vector<std::string> names;
    for (const Known& known : known_)
        if (!known.name.empty()) names.push_back(known.name);
    return names;
}

std::vector<std::string> OptionParser::given(const std::string& name) const {
    const Known& known = *find(name);
    if (known.option->count() == 0) return {};
    return known.flag != nullptr ? std::vector<std::string>{""} : known.option->results();
}

void OptionParser::set(const std::string& name, const std::string& word) {
    const Known& known = *find(name);
    if (known.flag != nullptr)
        *known.flag = true;
    else
        known.take(word);
}

void OptionParser::positional(const std::string& value, const std::string& doc, Take take) {
    app_->add_option(value, for_each_word(std::move(take)), doc)->type_name("")->type_size(1)->expected(1)->required();
    table_.positionals.push_back({{}, value, doc, {}});
}

void OptionParser::positionals(const std::string& value, const std::string& doc, Take take) {
    app_->add_option(value, for_each_word(std::move(take)), doc)
        ->type_name("")
        ->type_size(1)
        ->expected(CLI::detail::expected_max_vector_size);
    table_.positionals.push_back({{}, value, doc, {}, true});
}

std::string OptionParser::help() const {
    std::string text = fmt::format("{}\n\nUsage: {} [OPTIONS]", table_.description, table_.program);
    for (const OptionRow& row : table_.positionals)
        text += row.is_many ? fmt::format(" [{}...]", row.value) : ' ' + row.value;
    text += '\n';
    for (const OptionRow& row : table_.positionals) text += help_row(row.value, row.doc);
    if (!introduction_.empty()) text += '\n' + introduction_;
    for (const auto& [group, title] : kOptionGroups) {
        std::string rows;
        for (const OptionRow& row : table_.options) {
            if (table_.group_of(row) != group) continue;
            std::string term;
            for (const std::string& name : row.names) term += (term.empty() ? "" : ", ") + name;
            rows += help_row(row.value.empty() ? term : term + ' ' + row.value, row.doc);
        }
        if (!rows.empty()) text += fmt::format("\n{}:\n{}", title, rows);
    }
    if (!footer_.empty()) text += '\n' + footer_;
    return text;
}

std::string OptionParser::parse(Arguments arguments) {
    std::string help = read(std::move(arguments));
    if (help.empty()) apply();
    return help;
}

// In the order of the arguments; CLI11 itself would go by option.
void OptionParser::apply() {
    std::map<const CLI::Option*, size_t> applied;  // words of each option
    for (const CLI::Option* option : app_->parse_order()) {
        const auto known = std::ranges::find(known_, option, &Known::option);
        if (known != known_.end() && known->take) known->take(option->results()[applied[option]++]);
    }
}

std::string OptionParser::read(Arguments arguments) {
    if (arguments.table != nullptr) {
        *arguments.table = table_;
        return table_.program;
    }
    std::vector<std::string>& words = arguments.words;
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
        app_->parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        return help();
    } catch (const CLI::RequiredError& error) {
        refuse(fmt::format("{}; see {} --help", printable(error.what()), app_->get_name()));
    } catch (const CLI::ParseError& error) {
        refuse(printable(error.what()));
    }
    for (const std::string& extra : app_->remaining())
        if (extra != "--") refuse_extra(extra);  // CLI11 leaves the "--" in
    return {};
}

// What other programs call the option that chooses the output.
std::string OptionParser::guess_output(const std::string& word) const {
    const auto has_name = [](const OptionRow& option) {
        return !option.names.empty() && option.names.back() == "--output";
    };
    const auto output = std::ranges::find_if(table_.options, has_name);
    if (output == table_.options.end()) return {};
    for (const std::string_view kind : output->choices)
        if (word == fmt::format("--{}", kind)) return fmt::format("; did you mean '--output {}'?", kind);
    const bool is_elsewhere = word.starts_with("-o") || word == "-f" || word == "--format" ||
                              word == "--output-format" || word == "--output-file" || word == "--out" ||
                              word == "--report";
    return is_elsewhere ? "; did you mean '--output'?" : "";
}

void OptionParser::refuse_extra(const std::string& extra) const {
    const std::string help = fmt::format("; see {} --help", app_->get_name());
    if (!extra.starts_with('-')) refuse("unexpected argument '" + shortened(extra) + '\'' + help);
    std::vector<std::string> names;
    for (const CLI::Option* option : std::as_const(*app_).get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string word = extra.substr(0, extra.find('='));
    std::string guess = guess_output(word);
    if (guess.empty()) guess = did_you_mean(word, views);
    refuse("unknown option '" + shortened(word) + '\'' + (guess.empty() ? help : guess));
}

}  // namespace tracelint
