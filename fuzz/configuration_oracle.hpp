// The oracle for the configuration: any text is a configuration or a mistake with a place in it, and matching paths
// with its patterns ends. What it expects of files is judged.
#pragma once

#include "fuzz/expectations_oracle.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/options/option_parser.hpp"

namespace tracelint {

inline constexpr size_t kLongestMistake = 1000;  // bytes; the text may be much longer

inline Complaint configuration_mistake(const std::string& message) {
    if (printable(message) != message) return "the message has unprintable characters: " + message;
    if (message.size() > kLongestMistake) return "the message is long: " + message;
    return message.starts_with("c.json:") ? Complaint{} : "the message names no place: " + message;
}

inline Complaint configuration(std::string_view text) {
    try {
        const auto configuration = std::make_shared<Configuration>(parse_configuration("c.json", std::string(text)));
        const Parsed parsed = parse_command_line({"a.dump"}, configuration);
        if (!parsed.error.empty()) return configuration_mistake(parsed.error);
        for (const std::string path : {"a.dump", "-", "/a/b/c.prof", "../x"}) {
            const FileChoices choices = choices_for(std::get<CheckLine>(parsed.command_line).choices, path);
            if (const Complaint complaint = demands_are_judged(choices.demands, text)) return complaint;
        }
        const Parsed shown = parse_command_line({"--show-config"}, configuration);
        if (!shown.error.empty() || shown.answer.empty()) return "the configuration is not shown: " + shown.error;
        // What is shown is a configuration, and the same one.
        const auto again = std::make_shared<Configuration>(parse_configuration("c.json", shown.answer));
        const Parsed shown_again = parse_command_line({"--show-config"}, again);
        return shown_again.answer == shown.answer ? Complaint{} : "what is shown differs: " + shown_again.answer;
    } catch (const UsageError& error) {
        return configuration_mistake(error.message);
    }
}

}  // namespace tracelint
