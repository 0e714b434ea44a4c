// Reads the configuration: its text, its severities and overrides; what holds for one file.
#include "validator/tool/options/configuration.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/option_parser.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;
using Kind = LocatedJson::Kind;

constexpr std::string_view kChoiceWords[] = {"error", "warning", "note", "off"};
constexpr std::optional<Severity> kChoices[] = {Severity::error, Severity::warning, Severity::note, std::nullopt};

void require_object(const LocatedJson& value, std::string_view what) {
    if (value.kind != Kind::object) refuse_json(value.at, fmt::format("{} must be an object", what));
}

// The index of a word in `choices`.
size_t choice_in(const LocatedJson& value, std::string_view what, std::span<const std::string_view> choices) {
    const auto found = std::ranges::find(choices, value.text);
    if (value.kind == Kind::string && found != choices.end()) return static_cast<size_t>(found - choices.begin());
    refuse_json(value.at,
                fmt::format("invalid {}; expected {}{}", what, either_of(choices), did_you_mean(value.text, choices)));
}

SeverityChoices severities_of(const LocatedJson& value) {
    require_object(value, "severities");
    SeverityChoices choices;
    for (const LocatedJson::Member& member : value.members) {
        if (const std::string fault = pattern_fault(member.key); !fault.empty()) refuse_json(member.at, fault);
        choices.choose(member.key, kChoices[choice_in(member.value, "severity of " + member.key, kChoiceWords)]);
    }
    return choices;
}

// One string, or several in an array.
std::vector<const LocatedJson*> strings_of(const LocatedJson& value, std::string_view what) {
    std::vector<const LocatedJson*> strings;
    if (value.kind == Kind::string) strings.push_back(&value);
    for (const LocatedJson& element : value.elements) strings.push_back(&element);
    const bool are_strings = std::ranges::all_of(strings, [](const auto* one) { return one->kind == Kind::string; });
    if (strings.empty() || !are_strings)
        refuse_json(value.at, fmt::format("{} must be a string or an array of strings", what));
    return strings;
}

const Format* format_of(const LocatedJson& value) {
    std::vector<std::string_view> ids;
    for (const Format* format : formats()) ids.push_back(format->id);
    return formats()[choice_in(value, "format", ids)];
}

const Option* option_of(std::string_view key) {
    std::string name(key);
    std::ranges::replace(name, '_', '-');
    for (const Option* option : all_options())
        if (option->name == name) return option;
    return nullptr;
}

std::string guess_override_key(std::string_view key) {
    std::vector<std::string> names = {"files", "severities", "format", "expect"};
    for (const Option* option : all_options()) {
        names.emplace_back(option->name);
        std::ranges::replace(names.back(), '-', '_');
    }
    return did_you_mean(key, std::vector<std::string_view>(names.begin(), names.end()));
}

class Reader {
  public:
    Expectations expectations_of(const LocatedJson& value) { return read_expectations(value, false, name_bytes_); }

    FileOverride override_of(const LocatedJson& value) {
        require_object(value, "an override");
        FileOverride override;
        for (const LocatedJson::Member& member : value.members) take(override, member);
        if (override.files.empty())
            refuse_json(value.at, "an override needs files: the patterns of the files that it applies to");
        return override;
    }

  private:
    void take(FileOverride& override, const LocatedJson::Member& member) {
        if (member.key == "files") {
            for (const LocatedJson* pattern : strings_of(member.value, "files"))
                override.files.push_back(pattern_of(*pattern));
        } else if (member.key == "severities") {
            override.severities = severities_of(member.value);
        } else if (member.key == "format") {
            override.format = format_of(member.value);
        } else if (member.key == "expect") {
            override.expect = read_expectations(member.value, true, name_bytes_);
        } else if (const Option* option = option_of(member.key)) {
            override.settings.emplace_back(option, choice_in(member.value, member.key, option->choices));
        } else {
            refuse_json(member.at, fmt::format("unknown key '{}' in an override{}", shortened(member.key),
                                               guess_override_key(member.key)));
        }
    }

    PathPattern pattern_of(const LocatedJson& pattern) {
        if (const std::string fault = PathPattern::fault_of(pattern.text); !fault.empty())
            refuse_json(pattern.at, fault);
        globs_ += pattern.text.size();
        if (globs_ > kMostGlobs)
            refuse_json(pattern.at, fmt::format("the patterns take more than {} bytes together", kMostGlobs));
        return PathPattern(pattern.text, "", PathPattern::Bare::names);
    }

    size_t globs_ = 0;       // bytes of all patterns for paths
    size_t name_bytes_ = 0;  // bytes of all patterns for names
};

void read(Configuration& configuration) {
    if (configuration.text.size() > kLargestConfiguration)
        refuse_json(kLargestConfiguration, fmt::format("the file is larger than {}", byte_size(kLargestConfiguration)));
    LocatedJson root = parse_located_json(configuration.text);
    require_object(root, "a configuration");
    Reader reader;
    for (LocatedJson::Member& member : root.members) {
        if (member.key == "severities") {
            configuration.severities = severities_of(member.value);
        } else if (member.key == "expect") {
            configuration.expect = reader.expectations_of(member.value);
        } else if (member.key == "overrides") {
            if (member.value.kind != Kind::array) refuse_json(member.value.at, "overrides must be an array");
            for (const LocatedJson& element : member.value.elements)
                configuration.overrides.push_back(reader.override_of(element));
        } else if (member.key == "$schema") {
            if (member.value.kind != Kind::string) refuse_json(member.value.at, "$schema must be a string");
        } else {
            configuration.options.push_back({std::move(member.key), member.at, std::move(member.value)});
        }
    }
}

// A path that cannot be a configuration is an error, since ignoring it would lose its severities. It must not be waited
// for.
void require_file(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0)
        refuse(fmt::format("{}: cannot open: {}", printable(path), std::strerror(errno)));
    if (!S_ISREG(status.st_mode))
        refuse(fmt::format("{}: is not a regular file; --no-config ignores it", printable(path)));
}

// Empty if absent.
std::string nearest_configuration() {
    const std::string start = working_folder();
    for (fs::path folder = start; !start.empty(); folder = folder.parent_path()) {
        const std::string candidate = (folder / kConfigurationName).string();
        struct stat status;
        if (lstat(candidate.c_str(), &status) == 0) {
            require_file(candidate);
            return candidate;
        }
        if (folder == folder.parent_path()) break;
    }
    return {};
}

bool is_for(const FileOverride& override, const ComparedPath& path) {
    return std::ranges::any_of(override.files, [&](const PathPattern& pattern) { return pattern.matches(path); });
}

// The patterns of overrides are relative to the configuration's folder.
void settle_in_folder(Configuration& configuration) {
    for (FileOverride& override : configuration.overrides)
        for (PathPattern& pattern : override.files)
            pattern = PathPattern(pattern.pattern(), configuration.folder, PathPattern::Bare::names);
}

}  // namespace

bool is_for(const Configuration& configuration, const FileOverride& override, const std::string& path) {
    return is_for(override, PathBase(configuration.folder).compared(path));
}

Configuration parse_configuration(std::string path, std::string text) {
    Configuration configuration;
    configuration.path = std::move(path);
    configuration.text = std::move(text);
    try {
        read(configuration);
    } catch (const JsonFault& fault) {
        refuse(fmt::format("{}:{}: {}", printable(configuration.path), line_and_column(configuration.text, fault.at),
                           fault.message));
    }
    return configuration;
}

std::shared_ptr<const Configuration> load_configuration(const ConfigurationChoice& choice) {
    if (choice.is_off) return nullptr;
    const bool is_found = choice.file.empty();
    const std::string path = is_found ? nearest_configuration() : choice.file;
    if (path.empty()) return nullptr;
    auto configuration =
        std::make_shared<Configuration>(parse_configuration(path, content_of(path, kLargestConfiguration)));
    configuration->is_found = is_found;
    configuration->folder = is_found ? fs::path(path).parent_path().string() : working_folder();
    settle_in_folder(*configuration);
    return configuration;
}

FileChoices choices_for(const Choices& given, const std::string& path) {
    FileChoices choices{given.recognition.as, given.settings, {}, {}};
    if (given.configuration != nullptr) {
        choices.demands.add(given.configuration->expect);
        choices.severities = given.configuration->severities;
        const auto& overrides = given.configuration->overrides;
        const ComparedPath compared =
            overrides.empty() ? ComparedPath() : PathBase(given.configuration->folder).compared(path);
        for (const FileOverride& override : overrides) {
            if (!is_for(override, compared)) continue;
            choices.severities.append(override.severities);
            choices.demands.add(override.expect);
            choices.demands.is_named |= override.expect.is_given;
            if (override.format != nullptr) choices.format = override.format;
            for (const auto& [option, choice] : override.settings) choices.settings.set(*option, choice);
        }
    }
    choices.severities.append(given.severities);
    if (given.expect != nullptr) choices.demands.format = given.expect;
    choices.demands.is_given |= given.expect != nullptr;
    return choices;
}

}  // namespace tracelint
