#include "validator/tool/run/made_files.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "validator/generator/wrapped.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/json/rule_info.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kAttempts = 20;  // violations that are made for each that is wanted, as a check may not report one
constexpr unsigned kTries = 100;    // generated files in which a place for a fault is looked for

// How many files the user wants of each rule.
uint64_t violations_of_each(const FilesChoice& choice) { return choice.count.value_or(1); }

std::string start_of_name(const Rule& rule) {
    std::string slug(rule.id);
    std::ranges::replace(slug, '/', '-');
    return slug;
}

void complain_about(const std::vector<std::string_view>& rules, size_t all, std::string_view where) {
    if (rules.empty()) return;
    std::string names;
    for (const std::string_view rule : rules) names += fmt::format("{}{}", names.empty() ? "" : ", ", rule);
    complain(fmt::format("{} of {} cannot be violated in {}: {}", rules.size(), counted(all, "rule"), where, names));
}

}  // namespace

MadeFiles::MadeFiles(const Format& format, const FilesChoice& choice, Settings settings)
    : format_(format), choice_(choice), settings_(std::move(settings)) {
    std::error_code failure;
    std::filesystem::create_directories(choice.out, failure);
    if (failure) {
        complain_unwritable(choice.out, failure.value());
        status_ = kInternal;
    }
    if (status_ != kClean || !choice.lists_expected) return;
    expected_sink_ = std::make_unique<FileSink>((std::filesystem::path(choice.out) / "expected.json").string());
    expected_ = std::make_unique<ExpectedWriter>(*expected_sink_, format);
}

Outcome MadeFiles::check_of(std::string_view bytes) const {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.format = &format_;
    options.settings = settings_;
    options.report.kept_per_rule = 0;  // all
    return check(source, options);
}

std::string MadeFiles::name_of(const std::string& start) const {
    constexpr std::string_view kExtensions[] = {"", ".gz", ".zst"};  // of each Container
    return fmt::format("{}.{}{}", start, format_.id, kExtensions[static_cast<size_t>(choice_.container)]);
}

void MadeFiles::write(ExpectedFile file, const Outcome& outcome, std::string_view trace, std::string_view bytes) {
    if (status_ != kClean) return;
    const std::string path = (std::filesystem::path(choice_.out) / file.file).string();
    FileSink sink(path);
    sink.write(bytes);
    status_ = finish_output(sink, path, status_);
    ++count_;
    if (!expected_) return;
    file.findings = expectations_of(outcome);
    file.duty = duty_of(file.findings);
    if (recognise(formats(), opening_of(as_bytes(trace), file.file)) != &format_)
        file.options.push_back(fmt::format("--as={}", format_.id));
    expected_->add(file);
}

void MadeFiles::add(std::string_view kind, const std::string& shows, const std::string& trace) {
    const std::string bytes = wrapped(choice_.container, trace);
    ExpectedFile file;
    file.file = name_of(fmt::format("{}-{}-{:04}", format_.id, kind, count_ + 1));
    file.kind = kind;
    file.shows = shows;
    write(std::move(file), check_of(bytes), trace, bytes);
}

bool MadeFiles::add_violation(const Rule& rule, uint64_t number, const std::string& shows, const std::string& trace) {
    const std::string bytes = wrapped(choice_.container, trace);
    const Outcome outcome = check_of(bytes);
    const auto found = outcome.report().diagnostics();
    if (std::ranges::none_of(found, [&](const Diagnostic& one) { return one.rule == &rule; })) return false;
    ExpectedFile file;
    file.file = name_of(fmt::format("{}-violation-{:02}", start_of_name(rule), number));
    file.kind = "violation";
    file.shows = shows;
    file.rule = rule.id;
    for (const SpecSection& section : spec_sections_of(rule))
        file.spec.append(file.spec.empty() ? "" : "; ").append(section.heading);
    write(std::move(file), outcome, trace, bytes);
    return true;
}

ExitStatus MadeFiles::finish() {
    if (!expected_) return status_;
    expected_->finish();
    status_ = finish_output(*expected_sink_, choice_.out + "/expected.json", status_);
    return status_;
}

ExitStatus write_violations(const Format& format, const FilesChoice& choice, const Settings& settings,
                            std::string_view where, const MakeViolation& make) {
    MadeFiles files(format, choice, settings);
    std::vector<const Rule*> rules = rules_of(format);
    if (choice.violated != nullptr) rules = {choice.violated};
    std::vector<std::string_view> impossible;
    for (const Rule* rule : rules) {
        uint64_t written = 0;
        for (uint64_t n = 0; written < violations_of_each(choice) && n < kAttempts * violations_of_each(choice); ++n) {
            if (files.status() != kClean) return files.status();
            const std::optional<PlantedFile> made = make(*rule, n);
            if (!made) break;
            const std::string shows =
                fmt::format("the fault is at {:#x}, {}", made->offset, counted(made->length, "byte"));
            if (files.add_violation(*rule, written + 1, shows, made->bytes)) ++written;
        }
        if (written == 0) impossible.push_back(rule->id);
    }
    complain_about(impossible, rules.size(), where);
    const ExitStatus status = files.finish();
    return files.count() == 0 ? worse(status, kInternal) : status;
}

std::optional<GenerateOptions> generate_options(const Format& format, const FilesChoice& choice) {
    GenerateOptions options;
    options.seed = choice.seed;
    options.size = choice.size;
    options.memory = choice.limits.memory;
    const auto found = options_with(generator_of(format), options, choice.traits);
    if (!found) complain(fmt::format("no generated file of {} has this byte order, version and extensions", format.id));
    return found;
}

ExitStatus write_generated_violations(const Format& format, const FilesChoice& choice) {
    const std::optional<GenerateOptions> first = generate_options(format, choice);
    if (!first) return kUsage;
    return write_violations(format, choice, {}, "generated files", [&](const Rule& rule, uint64_t number) {
        GenerateOptions options = *first;
        options.seed += number * kTries;
        return plant(generator_of(format), rule, options, choice.traits, kTries);
    });
}

}  // namespace tracelint
