// Reads tracelint_options.
#include "validator/bindings/c/options.hpp"

#include <limits>

#include "validator/bindings/c/errors.hpp"
#include "validator/tool/rule_pattern.hpp"
#include "validator/tool/text.hpp"

namespace tracelint::c {
namespace {

// The elements of a list of the caller. False: there is no list, although elements are claimed.
template <class Element>
bool read_list(const Element* first, size_t count, std::span<const Element>& list) {
    if (first == nullptr) return count == 0;
    list = {first, count};
    return true;
}

tracelint_error check_pattern(const char* pattern) {
    if (pattern == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "a pattern of rules is null");
    if (const std::string fault = pattern_fault(pattern); !fault.empty())
        return fail(TRACELINT_ERROR_INVALID_OPTION, fault);
    return TRACELINT_OK;
}

// Passes each pattern of the list to `take`.
template <class Take>
tracelint_error take_patterns(const char* const* first, size_t count, Take take) {
    std::span<const char* const> patterns;
    if (!read_list(first, count, patterns)) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "a list of patterns is null");
    for (const char* pattern : patterns) {
        if (const tracelint_error error = check_pattern(pattern); error != TRACELINT_OK) return error;
        take(pattern);
    }
    return TRACELINT_OK;
}

std::string quoted_guess(std::string_view what, std::string_view word, std::span<const std::string_view> known) {
    return std::string("unknown ").append(what) + " '" + printable(word) + "'; expected " + either_of(known) +
           did_you_mean(word, known);
}

}  // namespace

tracelint_error CheckChoices::take(const tracelint_options* of_caller) {
    if (of_caller == nullptr) return TRACELINT_OK;
    const tracelint_options& given = *of_caller;
    if (!is_known(given)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_options");
    take_limits(given);
    if (given.file_name != nullptr) options.file_name = given.file_name;
    for (const auto part : {&CheckChoices::take_format, &CheckChoices::take_filter, &CheckChoices::take_severities,
                            &CheckChoices::take_settings})
        if (const tracelint_error error = (this->*part)(given); error != TRACELINT_OK) return error;
    return TRACELINT_OK;
}

tracelint_error CheckChoices::take_format(const tracelint_options& given) {
    if (given.format == nullptr) return TRACELINT_OK;
    options.format = find_format(given.format);
    if (options.format != nullptr) return TRACELINT_OK;
    std::vector<std::string_view> known;
    for (const Format* format : formats()) known.push_back(format->id);
    return fail(TRACELINT_ERROR_INVALID_OPTION, quoted_guess("format", given.format, known));
}

tracelint_error CheckChoices::take_filter(const tracelint_options& given) {
    if (given.select_count == 0 && given.ignore_count == 0) return TRACELINT_OK;
    options.report.filter = &filter_;
    if (const tracelint_error error =
            take_patterns(given.select, given.select_count, [&](const char* word) { filter_.select(word); });
        error != TRACELINT_OK)
        return error;
    return take_patterns(given.ignore, given.ignore_count, [&](const char* word) { filter_.ignore(word); });
}

tracelint_error CheckChoices::take_severities(const tracelint_options& given) {
    std::span<const tracelint_choice> choices;
    if (!read_list(given.severities, given.severity_count, choices))
        return fail(TRACELINT_ERROR_NULL_ARGUMENT, "the list of severities is null");
    for (const tracelint_choice& choice : choices) {
        if (const tracelint_error error = check_pattern(choice.rules); error != TRACELINT_OK) return error;
        switch (choice.severity) {
            case TRACELINT_NOTE: severities_.choose(choice.rules, Severity::note); break;
            case TRACELINT_WARNING: severities_.choose(choice.rules, Severity::warning); break;
            case TRACELINT_ERROR: severities_.choose(choice.rules, Severity::error); break;
            case TRACELINT_OFF: severities_.choose(choice.rules, std::nullopt); break;
            default: return fail(TRACELINT_ERROR_INVALID_OPTION, "a severity is not one of tracelint_severity");
        }
    }
    if (!choices.empty()) options.report.severities = &severities_;
    return TRACELINT_OK;
}

tracelint_error CheckChoices::take_settings(const tracelint_options& given) {
    std::span<const tracelint_setting> settings;
    if (!read_list(given.settings, given.setting_count, settings))
        return fail(TRACELINT_ERROR_NULL_ARGUMENT, "the list of settings is null");
    const std::vector<const Option*> known = all_options();
    for (const tracelint_setting& setting : settings) {
        if (setting.name == nullptr || setting.value == nullptr)
            return fail(TRACELINT_ERROR_NULL_ARGUMENT, "the name or the value of a setting is null");
        const auto option = std::ranges::find(known, setting.name, &Option::name);
        if (option == known.end()) {
            std::vector<std::string_view> names;
            for (const Option* one : known) names.push_back(one->name);
            return fail(TRACELINT_ERROR_INVALID_OPTION, quoted_guess("setting", setting.name, names));
        }
        const auto choices = (*option)->choices;
        const auto choice = std::ranges::find(choices, std::string_view(setting.value));
        if (choice == choices.end())
            return fail(TRACELINT_ERROR_INVALID_OPTION, quoted_guess(setting.name, setting.value, choices));
        options.settings.set(**option, static_cast<size_t>(choice - choices.begin()));
    }
    return TRACELINT_OK;
}

void CheckChoices::take_limits(const tracelint_options& given) {
    if (given.max_memory != 0) options.limits.memory = given.max_memory;
    if (given.max_record != 0) options.limits.record = given.max_record;
    constexpr uint64_t kMost = std::numeric_limits<size_t>::max();
    if (given.max_per_rule == TRACELINT_UNLIMITED)
        options.report.kept_per_rule = 0;
    else if (given.max_per_rule != 0)
        options.report.kept_per_rule = static_cast<size_t>(std::min(given.max_per_rule, kMost));
}

}  // namespace tracelint::c
