// What outputs show of a report.
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

bool is_shown(const Diagnostic& diagnostic, const WriterOptions& options) {
    return severity_of(diagnostic) >= options.min_severity;
}

std::map<std::string_view, uint64_t> not_shown(const Report& report, const WriterOptions& options) {
    std::map<std::string_view, uint64_t> counts = report.counts();
    for (const Diagnostic& diagnostic : report.diagnostics())
        if (is_shown(diagnostic, options)) --counts[diagnostic.rule->id];
    std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
    return counts;
}

std::string_view verdict_of(const Outcome& outcome) {
    if (!outcome.failure.empty()) return "unreadable";
    const std::optional<Severity> worst = outcome.report().worst();
    return worst ? to_string(*worst) : "clean";
}

}  // namespace tracelint
