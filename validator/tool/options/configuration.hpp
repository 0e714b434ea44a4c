// The configuration file: options, severities, and overrides for files, as JSON with comments.
#pragma once

#include <memory>

#include "validator/tool/inputs/path_pattern.hpp"
#include "validator/tool/inputs/usage_error.hpp"
#include "validator/tool/json/located_json.hpp"
#include "validator/tool/options/check_options.hpp"
#include "validator/tool/options/expectations.hpp"

namespace tracelint {

class OptionParser;

inline constexpr std::string_view kConfigurationName = ".tracelint.json";
inline constexpr size_t kLargestConfiguration = size_t{256} << 10;  // bytes
inline constexpr size_t kMostGlobs = size_t{16} << 10;              // bytes of all patterns together

// A key of the file that stands for an option of the command line.
struct ConfiguredOption {
    std::string key;  // the option's long name, with underscores
    size_t at = 0;    // offset of the key in the text
    LocatedJson value;
};

// What the file says of the files that one of the patterns matches.
struct FileOverride {
    std::vector<PathPattern> files;
    SeverityChoices severities;
    const Format* format = nullptr;  // null: as for other files
    std::vector<std::pair<const Option*, size_t>> settings;
    Expectations expect;
};

struct Configuration {
    std::string path;       // as messages name it
    std::string text;       // of the file
    std::string folder;     // absolute; patterns are relative to it
    bool is_found = false;  // it lay in a folder on the way up; the user did not name it
    std::vector<ConfiguredOption> options;
    Expectations expect;  // of all files
    SeverityChoices severities;
    std::vector<FileOverride> overrides;
};

// What holds for one file.
struct FileChoices {
    const Format* format = nullptr;  // null: recognise it
    Settings settings;
    SeverityChoices severities;
    FileDemands demands;
};

// Whether an option has a key in a configuration, and that key.
bool is_configuration_key(const OptionRow& option);
std::string configuration_key(std::string option_name);

// Reads a text. Throws UsageError, whose message names line and column. Options are looked at by require_valid().
Configuration parse_configuration(std::string path, std::string text);

// Requires that each option is one of `options` and takes its value, by setting them all. Throws UsageError.
void require_valid(const Configuration& configuration, OptionParser& options);

// Sets the options that the command line did not give. The command line also wins over the overrides: the result
// is the configuration without what it replaces in them.
Configuration set_options(const Configuration& configuration, OptionParser& parser);

// The configuration of a run, as a text that could be a configuration. `severities`: of the command line.
std::string shown_configuration(const Configuration* configuration, const OptionParser& parser,
                                const SeverityChoices& severities);

// The options that affect findings or their number, as one line of JSON.
std::string finding_options(const Configuration* configuration, const OptionParser& parser,
                            const SeverityChoices& severities);

// Reads the named file, or else the nearest one from the working directory upward. Null if absent. Throws UsageError.
std::shared_ptr<const Configuration> load_configuration(const ConfigurationChoice& choice);

// What command line and configuration say of a file. `path`: as messages name it.
FileChoices choices_for(const Choices& choices, const std::string& path);

// Whether the override is for the file. `path`: as messages name it.
bool is_for(const Configuration& configuration, const FileOverride& override, const std::string& path);

}  // namespace tracelint
