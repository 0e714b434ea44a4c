// Reads tracelint_options.
#include "validator/bindings/c/options.hpp"

#include <limits>
#include <new>

#include "validator/bindings/c/catalogue.hpp"
#include "validator/bindings/c/errors.hpp"
#include "validator/bindings/c/report.hpp"

namespace tracelint::c {
namespace {

// Passes each element of a list of the caller to `take`, which returns an error.
template <class Element, class Take>
tracelint_error each(const Element* first, size_t count, Take take) {
    if (first == nullptr && count != 0) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "a list of the options is null");
    for (size_t i = 0; i < count; ++i)
        if (const tracelint_error error = take(first[i]); error != TRACELINT_OK) return error;
    return TRACELINT_OK;
}

tracelint_error take_text(const char* text, std::string& to) {
    if (text == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT, "a text in a list of the options is null");
    to = text;
    return TRACELINT_OK;
}

tracelint_error take_patterns(const char* const* first, size_t count, std::vector<std::string>& to) {
    return each(first, count, [&](const char* text) { return take_text(text, to.emplace_back()); });
}

tracelint_error take_choice(const tracelint_choice& given, Options& options) {
    SeverityChoice& choice = options.severities.emplace_back();
    switch (given.severity) {
        case TRACELINT_NOTE: choice.severity = Severity::note; break;
        case TRACELINT_WARNING: choice.severity = Severity::warning; break;
        case TRACELINT_ERROR: choice.severity = Severity::error; break;
        case TRACELINT_OFF: break;
        default: return fail(TRACELINT_ERROR_INVALID_OPTION, "a severity is not a value of tracelint_severity");
    }
    return take_text(given.rules, choice.rules);
}

tracelint_error take_setting(const tracelint_setting& given, Options& options) {
    Setting& setting = options.settings.emplace_back();
    if (const tracelint_error error = take_text(given.name, setting.name); error != TRACELINT_OK) return error;
    return take_text(given.value, setting.choice);
}

tracelint_error take_companion(const tracelint_companion& given, Options& options) {
    if (given.bytes == nullptr && given.length != 0)
        return fail(TRACELINT_ERROR_NULL_ARGUMENT, "the bytes of a companion are null");
    Companion& companion = options.companions.emplace_back();
    if (given.bytes != nullptr) companion.bytes = Bytes(static_cast<const uint8_t*>(given.bytes), given.length);
    return take_text(given.name, companion.name);
}

// kept_per_rule of the options is 0 where there is no cap.
size_t kept_per_rule(uint64_t given) {
    constexpr uint64_t kMost = std::numeric_limits<size_t>::max();
    if (given == 0) return Options().kept_per_rule;
    return given == TRACELINT_UNLIMITED ? 0 : static_cast<size_t>(std::min(given, kMost));
}

// A finding is passed on, also if there is no memory for what it says.
FindingTexts texts_or_none(const Finding& finding) {
    try {
        return texts_of(finding);
    } catch (const std::bad_alloc&) {
        return {};
    }
}

void take_callback(const tracelint_options& given, Options& options) {
    if (given.on_finding == nullptr) return;
    Catalogue::get();  // now, where there may be no memory for it: findings point there
    options.on_finding = [function = given.on_finding, user = given.user](const Finding& finding) {
        const FindingTexts texts = texts_or_none(finding);
        const tracelint_finding passed = struct_of(finding, texts);
        function(user, &passed);
    };
}

}  // namespace

tracelint_error take_options(const tracelint_options* of_caller, Options& options) {
    if (of_caller == nullptr) return TRACELINT_OK;
    tracelint_options given;
    if (!take(of_caller, given)) return fail(TRACELINT_ERROR_STRUCT_SIZE, "tracelint_options");
    if (given.format != nullptr) options.format = given.format;
    if (given.file_name != nullptr) options.file_name = given.file_name;
    if (given.max_memory != 0) options.limits.memory = given.max_memory;
    if (given.max_record != 0) options.limits.record = given.max_record;
    options.growing = given.growing != 0;
    options.kept_per_rule = kept_per_rule(given.max_per_rule);
    take_callback(given, options);
    tracelint_error error = take_patterns(given.select, given.select_count, options.select);
    if (error == TRACELINT_OK) error = take_patterns(given.ignore, given.ignore_count, options.ignore);
    if (error == TRACELINT_OK)
        error = each(given.severities, given.severity_count,
                     [&](const tracelint_choice& choice) { return take_choice(choice, options); });
    if (error == TRACELINT_OK)
        error = each(given.settings, given.setting_count,
                     [&](const tracelint_setting& setting) { return take_setting(setting, options); });
    if (error == TRACELINT_OK) error = take_patterns(given.readers, given.reader_count, options.readers);
    if (error == TRACELINT_OK)
        error = each(given.companions, given.companion_count,
                     [&](const tracelint_companion& companion) { return take_companion(companion, options); });
    return error;
}

}  // namespace tracelint::c
