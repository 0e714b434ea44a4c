// Counts the files that are expected, and reports those that are missing.
#include "validator/tool/run/expected_files.hpp"
#include "validator/report/expectation_rules.hpp"

#include <filesystem>

namespace tracelint {

namespace {

std::string artifact_of(const Configuration& configuration) {
    return std::filesystem::path(configuration.path).lexically_proximate(working_folder()).string();
}

}  // namespace

ExpectedFiles::ExpectedFiles(const CommandLine& line) : line_(line) {
    if (line.configuration == nullptr) return;
    for (const FileOverride& override : line.configuration->overrides)
        if (override.expect.is_given) overrides_.emplace_back(&override, 0);
}

void ExpectedFiles::meet(const std::string& path) {
    for (auto& [override, files] : overrides_)
        if (is_for(*line_.configuration, *override, path)) ++files;
}

void ExpectedFiles::miss_folder(const std::string& folder) {
    const bool is_expected =
        line_.expect != nullptr || (line_.configuration != nullptr && line_.configuration->expect.is_given);
    if (is_expected) folders_.push_back({folder, 0, 1, folder});
}

std::vector<ExpectedFiles::Missing> ExpectedFiles::missing(bool has_searched) const {
    std::vector<Missing> missing = folders_;
    for (const auto& [override, files] : overrides_) {
        const uint64_t least = override->expect.files.value_or(has_searched ? 1 : 0);
        if (files >= least) continue;
        std::string patterns;
        for (const PathPattern& one : override->files)
            patterns.append(patterns.empty() ? "" : ", ").append(one.pattern());
        missing.push_back({std::move(patterns), files, least, artifact_of(*line_.configuration)});
    }
    return missing;
}

std::unique_ptr<Outcome> outcome_of(const ExpectedFiles::Missing& missing, const CommandLine& line) {
    const FileChoices choices = choices_for(line, missing.pattern);
    CheckOptions options;
    options.report = {line.max_per_rule, &line.filter, &choices.severities};
    auto outcome = std::make_unique<Outcome>(options);
    outcome->context.report.add(kExpectedFile, {}, {missing.found, missing.least});
    outcome->context.report.finish();
    return outcome;
}

}  // namespace tracelint
