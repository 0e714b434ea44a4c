// Findings and outcomes as text.
#include "fuzz/findings.hpp"

namespace tracelint {

Violation finding_of(const Diagnostic& diagnostic) {
    return {diagnostic.place.offset, diagnostic.rule->id, diagnostic.place.length};
}

std::string text_of(const Violation& finding) {
    return std::string(finding.rule) + ' ' + hex(finding.offset) + '+' + std::to_string(finding.length);
}

std::string text_of(const Findings& findings) {
    std::string text;
    for (const Violation& finding : findings) text += (text.empty() ? "" : ", ") + text_of(finding);
    return text.empty() ? "nothing" : text;
}

namespace {

// How many bytes were skipped follows from the size: neither is known of an input that is not read to its end.
std::string size_of_input(const Outcome& outcome) {
    if (!outcome.size) return "not read to its end";
    std::string text = std::to_string(*outcome.size) + " bytes";
    for (const auto& [name, count] : outcome.context.statistics)
        if (name == kSkippedBytes) text += ", of which " + std::to_string(count) + " skipped";
    return text;
}

}  // namespace

std::string transcript(const Outcome& outcome) {
    std::string text = outcome.format == nullptr ? "unknown format" : std::string(outcome.format->id);
    const Identity& identity = outcome.context.identity;
    text += ", " + size_of_input(outcome) + ", version " + std::to_string(identity.format_version.value_or(kNone));
    text += identity.byte_order ? *identity.byte_order == ByteOrder::big ? ", big" : ", little" : ", no order";
    text += outcome.failure.empty() ? "" : ", " + outcome.failure;
    for (const auto& [name, count] : outcome.context.statistics)
        if (name != kSkippedBytes) text += ", " + std::string(name) + ' ' + std::to_string(count);
    for (const Diagnostic& d : outcome.report().diagnostics()) {
        text += '\n' + text_of(finding_of(d)) + ' ' + field_path(d.place) + ": " + message_of(d) + std::string(d.hint);
        if (d.related_offset != kNone)
            text += " (" + hex(d.related_offset) + '+' + std::to_string(d.related_length) + ')';
    }
    return text;
}

CheckOptions options_of(const Input& input) {
    CheckOptions options;
    options.format = input.format;
    options.settings = input.settings;
    options.report.kept_per_rule = input.kept_per_rule;
    options.limits = input.limits;
    return options;
}

Outcome check_source(Source& source, const Input& input) { return check(source, options_of(input)); }

Outcome check_all(const Input& input) {
    MemorySource source(input.bytes);
    return check_source(source, input);
}

}  // namespace tracelint
