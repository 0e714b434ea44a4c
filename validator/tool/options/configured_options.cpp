// The options of a configuration: what they may be, how the command line replaces them, how all are shown.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "validator/tool/fleet/part_json.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tool/options/option_words.hpp"

namespace tracelint {
namespace {

using Kind = LocatedJson::Kind;
using Json = nlohmann::ordered_json;

std::string option_name(std::string key) {
    std::ranges::replace(key, '_', '-');
    return key;
}

[[noreturn]] void fail(const Configuration& configuration, size_t at, const std::string& message) {
    refuse(fmt::format("{}:{}: {}", printable(configuration.path), line_and_column(configuration.text, at), message));
}

std::string guess(const ConfiguredOption& option, const OptionParser& options) {
    std::vector<std::string> keys = {"severities", "overrides", "expect"};
    for (const std::string& name : options.names())
        if (is_configuration_key(*options.row(name))) keys.push_back(configuration_key(name));
    return did_you_mean(option.key, std::vector<std::string_view>(keys.begin(), keys.end()));
}

void require_known(const Configuration& configuration, const ConfiguredOption& option, const OptionParser& options) {
    const std::string name = option_name(option.key);
    if (option.key.find('-') == option.key.npos && options.is_known(name)) {
        const OptionRow& row = *options.row(name);
        if (is_configuration_key(row)) return;
        fail(configuration, option.at,
             fmt::format("'{}' is not a configuration key{}", option.key,
                         row.facts.key == ConfigurationKey::severities ? "; give the rule under \"severities\"" : ""));
    }
    fail(configuration, option.at, fmt::format("unknown key '{}'{}", shortened(option.key), guess(option, options)));
}

// The values of an option that takes a word: strings or numbers, several in an array.
std::vector<const LocatedJson*> words_of(const Configuration& configuration, const ConfiguredOption& option,
                                         const OptionRow& row) {
    std::vector<const LocatedJson*> words;
    const LocatedJson& value = option.value;
    const bool takes_several = row.facts.key == ConfigurationKey::several;
    if (value.kind == Kind::array && takes_several)
        for (const LocatedJson& element : value.elements) words.push_back(&element);
    else
        words.push_back(&value);
    for (const LocatedJson* word : words)
        if (word->kind != Kind::string && word->kind != Kind::number)
            fail(configuration, word->at,
                 fmt::format("{} must be a string or a number{}", option.key,
                             takes_several ? ", or an array of them" : ""));
    return words;
}

// Anyone who can write to a folder above could otherwise choose files that are overwritten.
void require_no_file(const Configuration& configuration, const LocatedJson& output) {
    if (configuration.is_found && output.text.find('=') != output.text.npos)
        fail(configuration, output.at, "only a configuration that --config names may name output files");
}

// The message of an option begins with its name, where a configuration has its key.
std::string with_key(const std::string& message, const std::string& name) {
    const std::string start = "--" + name + ": ";
    return configuration_key(name) + ": " + (message.starts_with(start) ? message.substr(start.size()) : message);
}

// The path of a file that the configuration names, relative to its folder.
std::string path_of(const Configuration& configuration, const std::string& word) {
    if (word.empty() || configuration.folder.empty()) return word;
    const std::filesystem::path path = std::filesystem::path(configuration.folder) / word;
    return path.lexically_normal().lexically_proximate(working_folder()).string();
}

void set_option(const Configuration& configuration, const ConfiguredOption& option, OptionParser& parser) {
    const std::string name = option_name(option.key);
    if (parser.is_flag(name)) {
        if (option.value.kind != Kind::boolean)
            fail(configuration, option.value.at, fmt::format("{} must be true or false", option.key));
        if (option.value.truth) parser.set(name, "");
        return;
    }
    const OptionRow& row = *parser.row(name);
    for (const LocatedJson* word : words_of(configuration, option, row)) {
        if (row.value.ends_with("[=FILE]")) require_no_file(configuration, *word);
        try {
            parser.set(name, row.value == "FILE" ? path_of(configuration, word->text) : word->text);
        } catch (const UsageError& error) {
            fail(configuration, word->at, with_key(error.message, name));
        }
    }
}

Json json_of(const LocatedJson& value) {
    if (value.kind == Kind::boolean) return value.truth;
    if (value.kind != Kind::array) return value.text;
    Json array = Json::array();
    for (const LocatedJson& element : value.elements) array.push_back(element.text);
    return array;
}

Json json_of(const OptionParser& parser, const std::string& name) {
    if (parser.is_flag(name)) return true;
    const std::vector<std::string> words = parser.given(name);
    return words.size() == 1 || parser.row(name)->facts.key != ConfigurationKey::several ? Json(words.back())
                                                                                         : Json(words);
}

// The later of two choices for one pattern comes last, because it wins.
Json json_of(const SeverityChoices& choices) {
    Json json = Json::object();
    for (const SeverityChoices::Choice& choice : choices.all()) {
        json.erase(choice.pattern);
        json[choice.pattern] = choice.severity ? to_string(*choice.severity) : "off";
    }
    return json;
}

Json json_of(const Expectations& expect, bool is_override) {
    Json json = Json::object();
    if (expect.format != nullptr) json["format"] = expect.format->id;
    for (const auto& [name, least] : expect.statistics) json["statistics"][name] = least;
    for (const Glob& name : expect.names) json["names"].push_back(name.pattern());
    if (is_override && expect.files) json["files"] = *expect.files;
    return json;
}

Json json_of(const FileOverride& override) {
    Json json;
    for (const PathPattern& pattern : override.files) json["files"].push_back(pattern.pattern());
    if (override.format != nullptr) json["format"] = override.format->id;
    for (const auto& [option, choice] : override.settings)
        json[configuration_key(std::string(option->name))] = option->choices[choice];
    if (!override.severities.all().empty()) json["severities"] = json_of(override.severities);
    if (override.expect.is_given) json["expect"] = json_of(override.expect, true);
    return json;
}

}  // namespace

bool is_configuration_key(const OptionRow& option) {
    return option.facts.key == ConfigurationKey::one || option.facts.key == ConfigurationKey::several;
}

std::string configuration_key(std::string option_name) {
    std::ranges::replace(option_name, '-', '_');
    return option_name;
}

void require_valid(const Configuration& configuration, OptionParser& options) {
    for (const ConfiguredOption& option : configuration.options) {
        require_known(configuration, option, options);
        set_option(configuration, option, options);
    }
}

Configuration set_options(const Configuration& configuration, OptionParser& parser) {
    const auto is_given = [&](const std::string& name) { return !parser.given(name).empty(); };
    for (const ConfiguredOption& option : configuration.options)
        if (!is_given(option_name(option.key))) set_option(configuration, option, parser);
    Configuration rest = configuration;
    if (is_given("expect")) rest.expect.format = nullptr;
    for (FileOverride& override : rest.overrides) {
        if (is_given("as")) override.format = nullptr;
        if (is_given("expect")) override.expect.format = nullptr;
        std::erase_if(override.settings, [&](const auto& one) { return is_given(std::string(one.first->name)); });
    }
    return rest;
}

namespace {

Json json_of(const Configuration* configuration, const OptionParser& parser, const SeverityChoices& severities) {
    Json json = Json::object();
    if (configuration != nullptr)
        for (const ConfiguredOption& option : configuration->options) json[option.key] = json_of(option.value);
    for (const std::string& name : parser.names())
        if (is_configuration_key(*parser.row(name)) && !parser.given(name).empty())
            json[configuration_key(name)] = json_of(parser, name);
    if (configuration != nullptr && configuration->expect.is_given) {
        Expectations expect = configuration->expect;
        if (const std::vector<std::string> format = parser.given("expect"); !format.empty())
            expect.format = find_format(format.back());
        json["expect"] = json_of(expect, false);
    }
    if (configuration != nullptr && !configuration->severities.all().empty())
        json["severities"] = json_of(configuration->severities);
    if (configuration != nullptr)
        for (const FileOverride& override : configuration->overrides) json["overrides"].push_back(json_of(override));
    if (!severities.all().empty()) json["overrides"].push_back({{"files", "**"}, {"severities", json_of(severities)}});
    return json;
}

std::vector<std::string> words_in(const Json& value) {
    if (value.is_array()) return value.get<std::vector<std::string>>();
    return {value.get<std::string>()};
}

// The same words in any order, however often and with whatever commas, give the same array.
Json sorted_words(const Json& value, bool has_commas) {
    std::set<std::string> sorted;
    for (const std::string& word : words_in(value))
        for (size_t start = 0; start <= word.size();) {
            const size_t end = has_commas ? std::min(word.find(',', start), word.size()) : word.size();
            sorted.insert(word.substr(start, end - start));
            start = end + 1;
        }
    return sorted;
}

// What the option does, however it is spelt; null if it does nothing.
Json canonical(const OptionRow& option, const Json& value) {
    if (option.value == "RULES") return sorted_words(value, true);
    if (option.value == "GLOB") return sorted_words(value, false);
    if (!value.is_string() && !value.is_array()) return value;
    const std::string word = words_in(value).back(), standard(option.facts.standard);  // the last one wins
    if (word == standard) return {};
    const auto unless = [](uint64_t number, uint64_t same) { return number == same ? Json() : Json(number); };
    if (option.value == "BYTES") return unless(size_of("", word), size_of("", standard));
    if (option.value == "N") return unless(number_of("", word), number_of("", standard));
    return word;
}

// The order of patterns matters only if one covers another.
Json canonical_severities(const Json& severities) {
    std::map<std::string, Json> sorted;
    for (const auto& [pattern, severity] : severities.items()) sorted.emplace(pattern, severity);
    const auto covers = [](const auto& a, const auto& b) { return b.first.starts_with(a.first); };
    const bool is_ordered = std::ranges::adjacent_find(sorted, covers) != sorted.end();
    return is_ordered ? severities : Json(sorted);
}

}  // namespace

std::string finding_options(const Configuration* configuration, const OptionParser& parser,
                            const SeverityChoices& severities) {
    Json given = json_of(configuration, parser, severities);
    if (!severities.all().empty()) {
        Json& last = given["overrides"].back()["severities"];
        last = canonical_severities(last);
    }
    std::map<std::string, Json> sorted;
    for (const auto& [key, value] : given.items()) {
        const OptionRow* const option = parser.row(option_name(key));  // null: no option has this key
        if (option != nullptr && option->facts.is_of_output) continue;
        if (Json meant = option == nullptr ? value : canonical(*option, value); !meant.is_null())
            sorted.emplace(key, std::move(meant));
    }
    return parse_part_json(Json(sorted).dump(-1, ' ', true, Json::error_handler_t::replace)).written();
}

std::string shown_configuration(const Configuration* configuration, const OptionParser& parser,
                                const SeverityChoices& severities) {
    const Json json = json_of(configuration, parser, severities);
    const std::string source = configuration == nullptr ? "no configuration file" : printable(configuration->path);
    return "// " + source + '\n' + json.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

}  // namespace tracelint
