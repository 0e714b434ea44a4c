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

ExpectedFiles::ExpectedFiles(const Choices& given) : given_(given) {
    if (given.configuration == nullptr) return;
    for (const FileOverride& override : given.configuration->overrides)
        if (override.expect.is_given) overrides_.emplace_back(&override, 0);
}

void ExpectedFiles::count(const std::string& path) {
    for (auto& [override, files] : overrides_)
        if (is_for(*given_.configuration, *override, path)) ++files;
}

void ExpectedFiles::miss_folder(const std::string& folder) {
    const bool is_expected =
        given_.expect != nullptr || (given_.configuration != nullptr && given_.configuration->expect.is_given);
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
        missing.push_back({std::move(patterns), files, least, artifact_of(*given_.configuration)});
    }
    return missing;
}

std::unique_ptr<Outcome> outcome_of(const ExpectedFiles::Missing& missing, const CheckLine& line) {
    const FileChoices choices = choices_for(line.choices, missing.pattern);
    CheckOptions options;
    options.report = {line.reporting.max_per_rule, &line.choices.filter, &choices.severities};
    auto outcome = std::make_unique<Outcome>(options);
    outcome->context.report.add(kExpectedFile, {}, {missing.found, missing.least});
    outcome->context.report.finish();
    return outcome;
}

}  // namespace tracelint
