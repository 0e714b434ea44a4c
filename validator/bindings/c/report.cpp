// The functions of the C interface about reports.
#include "validator/bindings/c/report.hpp"

#include "validator/bindings/c/catalogue.hpp"
#include "validator/bindings/c/errors.hpp"
#include "validator/tool/writers/json_report.hpp"

namespace tracelint::c {
namespace {

tracelint_verdict verdict_number(const Outcome& outcome) {
    if (!outcome.failure.empty()) return TRACELINT_UNREADABLE;
    const Report& report = outcome.report();
    if (report.count(Severity::error) != 0) return TRACELINT_HAS_ERRORS;
    if (report.count(Severity::warning) != 0) return TRACELINT_HAS_WARNINGS;
    return report.count(Severity::note) != 0 ? TRACELINT_HAS_NOTES : TRACELINT_CLEAN;
}

uint32_t byte_order_number(std::optional<ByteOrder> order) {
    if (!order) return 0;
    return *order == ByteOrder::little ? 1 : 2;
}

}  // namespace

CheckedReport::CheckedReport(std::string path, std::unique_ptr<const CheckChoices> choices, Outcome outcome)
    : path_(std::move(path)),
      choices_(std::move(choices)),
      outcome_(std::move(outcome)),
      statistics_(outcome_.context.statistics.begin(), outcome_.context.statistics.end()) {}

tracelint_summary CheckedReport::summary() {
    const Report& report = outcome_.report();
    const Identity& identity = outcome_.context.identity;
    tracelint_summary summary{};
    summary.verdict = verdict_number(outcome_);
    summary.limit_hit = outcome_.context.limit_hit ? 1 : 0;
    summary.format = outcome_.format == nullptr ? nullptr : Catalogue::get().id_of(*outcome_.format);
    summary.container = outcome_.container == Container::gzip ? "gzip" : nullptr;
    summary.failure = outcome_.failure.empty() ? nullptr : outcome_.failure.c_str();
    summary.input_size = outcome_.size.value_or(TRACELINT_UNKNOWN);
    summary.format_version = identity.format_version.value_or(TRACELINT_UNKNOWN);
    summary.byte_order = byte_order_number(identity.byte_order);
    summary.word_size = identity.word_size.value_or(0);
    summary.errors = report.count(Severity::error);
    summary.warnings = report.count(Severity::warning);
    summary.notes = report.count(Severity::note);
    summary.finding_count = findings();
    summary.statistic_count = statistics();
    summary.rule_count = rules().size();
    return summary;
}

tracelint_finding CheckedReport::finding(size_t index) {
    const Diagnostic& diagnostic = outcome_.report().diagnostics()[index];
    const Texts& texts = texts_of(index);
    tracelint_finding finding{};
    finding.rule = Catalogue::get().id_of(*diagnostic.rule);
    finding.severity = severity_number(severity_of(diagnostic));
    finding.offset = diagnostic.place.offset;
    finding.length = diagnostic.place.length;
    finding.field = texts.field.empty() ? nullptr : texts.field.c_str();
    finding.message = texts.message.c_str();
    finding.help = texts.help.c_str();
    if (diagnostic.related_offset != kNone) {
        finding.has_related = 1;
        finding.related_offset = diagnostic.related_offset;
        finding.related_length = diagnostic.related_length;
    }
    return finding;
}

const CheckedReport::Texts& CheckedReport::texts_of(size_t index) {
    if (texts_.empty()) texts_.resize(findings());
    if (texts_[index] == nullptr) {
        const Diagnostic& diagnostic = outcome_.report().diagnostics()[index];
        texts_[index] =
            std::make_unique<Texts>(Texts{field_path(diagnostic.place), message_of(diagnostic), help_of(diagnostic)});
    }
    return *texts_[index];
}

tracelint_count CheckedReport::statistic(size_t index) const {
    return {0, statistics_[index].first.c_str(), statistics_[index].second};
}

const std::vector<tracelint_count>& CheckedReport::rules() {
    if (!rules_) {
        std::vector<tracelint_count> rules;
        for (const auto& [id, number] : outcome_.report().counts())
            rules.push_back({0, Catalogue::get().id_of(*find_rule(id)), number});
        rules_ = std::move(rules);
    }
    return *rules_;
}

const std::string& CheckedReport::json(const char* path) {
    StringSink sink;
    write_file_json(sink, {path == nullptr ? path_ : path, outcome_}, {});
    return json_ = std::move(sink.text);
}

const std::string& CheckedReport::finding_json(size_t index) {
    JsonObject object;
    add_finding(object, outcome_.report().diagnostics()[index]);
    return json_ = object.text();
}

Handles<tracelint_report, CheckedReport>& reports() {
    static auto& reports = *new Handles<tracelint_report, CheckedReport>;  // used until the last thread ends
    return reports;
}

tracelint_error hand_out(std::unique_ptr<CheckedReport> report, tracelint_report** to) {
    *to = reports().add(std::move(report));
    return TRACELINT_OK;
}

namespace {

// Calls `use` with the report of a handle, once it is known that the caller wants the result.
template <class Result, class Use>
tracelint_error with_report(const tracelint_report* handle, const Result* result, Use use) {
    return guarded([&] {
        if (handle == nullptr || result == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        CheckedReport* const report = reports().find(handle);
        if (report == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{use(*report)};
    });
}

tracelint_error give_json(const std::string& text, const char** json, size_t* length) {
    *json = text.c_str();
    if (length != nullptr) *length = text.size();
    return TRACELINT_OK;
}

}  // namespace
}  // namespace tracelint::c

using tracelint::c::CheckedReport;
using tracelint::c::fail;
using tracelint::c::fill;
using tracelint::c::with_report;

tracelint_error tracelint_report_summary(const tracelint_report* report, tracelint_summary* summary) {
    return with_report(report, summary, [&](CheckedReport& of) { return fill(summary, of.summary()); });
}

tracelint_error tracelint_report_finding(const tracelint_report* report, size_t index, tracelint_finding* finding) {
    return with_report(report, finding, [&](CheckedReport& of) {
        if (index >= of.findings()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return fill(finding, of.finding(index));
    });
}

tracelint_error tracelint_report_statistic(const tracelint_report* report, size_t index, tracelint_count* statistic) {
    return with_report(report, statistic, [&](CheckedReport& of) {
        if (index >= of.statistics()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return fill(statistic, of.statistic(index));
    });
}

tracelint_error tracelint_report_rule(const tracelint_report* report, size_t index, tracelint_count* rule) {
    return with_report(report, rule, [&](CheckedReport& of) {
        if (index >= of.rules().size()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return fill(rule, of.rules()[index]);
    });
}

tracelint_error tracelint_report_json(const tracelint_report* report, const char* path, const char** json,
                                      size_t* length) {
    return with_report(report, json,
                       [&](CheckedReport& of) { return tracelint::c::give_json(of.json(path), json, length); });
}

tracelint_error tracelint_finding_json(const tracelint_report* report, size_t index, const char** json,
                                       size_t* length) {
    return with_report(report, json, [&](CheckedReport& of) {
        if (index >= of.findings()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return tracelint::c::give_json(of.finding_json(index), json, length);
    });
}

tracelint_error tracelint_report_free(tracelint_report* report) {
    if (report == nullptr) return TRACELINT_OK;
    return tracelint::c::guarded([&] {
        if (tracelint::c::reports().remove(report) == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{TRACELINT_OK};
    });
}
