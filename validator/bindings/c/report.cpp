// The functions of the C interface about reports.
#include "validator/bindings/c/report.hpp"

#include "validator/bindings/c/catalogue.hpp"
#include "validator/bindings/c/errors.hpp"
#include "validator/input/kept_input.hpp"
#include "validator/tool/json/json_document.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint::c {
namespace {

tracelint_verdict verdict_number(Verdict verdict) {
    switch (verdict) {
        case Verdict::clean: return TRACELINT_CLEAN;
        case Verdict::note: return TRACELINT_HAS_NOTES;
        case Verdict::warning: return TRACELINT_HAS_WARNINGS;
        case Verdict::error: return TRACELINT_HAS_ERRORS;
        case Verdict::unreadable: return TRACELINT_UNREADABLE;
    }
    return TRACELINT_UNREADABLE;
}

uint32_t byte_order_number(std::optional<ByteOrder> order) {
    if (!order) return 0;
    return *order == ByteOrder::little ? 1 : 2;
}

}  // namespace

FindingTexts texts_of(const Finding& finding) {
    return {finding.field(), finding.message(), finding.help(), std::string(finding.related_file())};
}

CheckedReport::CheckedReport(std::string path, bool is_file, const Result& result)
    : path_(std::move(path)), is_file_(is_file), room_(std::make_shared<std::optional<Result>>()) {
    const auto& statistics = result.state()->outcome.context.statistics;
    statistics_.assign(statistics.begin(), statistics.end());
}

std::unique_ptr<CheckedReport> CheckedReport::companion(size_t index) const {
    const Result& result = result_->companions()[index];
    auto report = std::make_unique<CheckedReport>(result.state()->name, result.state()->is_file, result);
    report->result_ = std::shared_ptr<const Result>(result_, &result);
    return report;
}

tracelint_summary CheckedReport::summary() {
    const Identity identity = result_->identity();
    tracelint_summary summary{};
    summary.verdict = verdict_number(result_->verdict());
    summary.limit_hit = result_->limit_hit() ? 1 : 0;
    summary.format = outcome().format == nullptr ? nullptr : Catalogue::get().id_of(*outcome().format);
    const std::string_view container = to_string(outcome().container);  // of a literal, so a zero byte follows
    summary.container = container.empty() ? nullptr : container.data();
    summary.failure = outcome().failure.empty() ? nullptr : outcome().failure.c_str();
    summary.input_size = result_->size().value_or(TRACELINT_UNKNOWN);
    summary.format_version = identity.format_version.value_or(TRACELINT_UNKNOWN);
    summary.byte_order = byte_order_number(identity.byte_order);
    summary.word_size = identity.word_size.value_or(0);
    summary.errors = result_->count(Severity::error);
    summary.warnings = result_->count(Severity::warning);
    summary.notes = result_->count(Severity::note);
    summary.finding_count = findings();
    summary.statistic_count = statistics();
    summary.rule_count = rules();
    summary.reader_count = readers();
    summary.companion_count = companions();
    return summary;
}

tracelint_finding struct_of(const Finding& finding, const FindingTexts& texts) {
    tracelint_finding to{};
    to.size = sizeof to;
    to.rule = Catalogue::get().rule_id(finding.rule());
    to.severity = severity_number(finding.severity());
    to.offset = finding.place().offset;
    to.length = finding.place().length;
    to.field = texts.field.empty() ? nullptr : texts.field.c_str();
    to.message = texts.message.c_str();
    to.help = texts.help.c_str();
    if (const std::optional<ByteRange> related = finding.related()) {
        to.has_related = 1;
        to.related_offset = related->offset;
        to.related_length = related->length;
    }
    to.related_file = texts.related_file.empty() ? nullptr : texts.related_file.c_str();
    to.about_container = finding.is_about_container() ? 1 : 0;
    return to;
}

tracelint_finding CheckedReport::finding(size_t index) {
    const Finding finding = result_->findings()[index];
    return struct_of(finding, texts_of(finding, index));
}

const FindingTexts& CheckedReport::texts_of(const Finding& finding, size_t index) {
    if (texts_.empty()) texts_.resize(findings());
    if (texts_[index] == nullptr) texts_[index] = std::make_unique<FindingTexts>(c::texts_of(finding));
    return *texts_[index];
}

const CheckedReport::ReaderTexts& CheckedReport::texts_of(const ReaderResult& reader, size_t index) {
    if (reader_texts_.empty()) reader_texts_.resize(readers());
    if (reader_texts_[index] == nullptr) {
        const auto text = [](std::string_view view) { return std::string(view); };
        reader_texts_[index] = std::make_unique<ReaderTexts>(ReaderTexts{
            text(reader.name), text(reader.version), text(reader.outcome), text(reader.evidence), text(reader.unit)});
    }
    return *reader_texts_[index];
}

tracelint_reader CheckedReport::reader(size_t index) {
    const ReaderResult& of = result_->readers()[index];
    const ReaderTexts& texts = texts_of(of, index);
    tracelint_reader to{};
    to.name = texts.name.c_str();
    to.version = texts.version.c_str();
    to.outcome = texts.outcome.c_str();
    to.evidence = texts.evidence.c_str();
    to.rule = of.rule.empty() ? nullptr : Catalogue::get().rule_id(of.rule);
    to.offset = of.offset.value_or(TRACELINT_UNKNOWN);
    to.unit = texts.unit.c_str();
    to.total = of.total;
    to.lost = of.lost;
    to.sentence = of.sentence.c_str();
    return to;
}

tracelint_count CheckedReport::statistic(size_t index) const {
    return {0, statistics_[index].first.c_str(), statistics_[index].second};
}

tracelint_count CheckedReport::rule(size_t index) const {
    const RuleCount& count = result_->counts()[index];
    return {0, Catalogue::get().rule_id(count.rule), count.found};
}

namespace {

Checked checked_of(std::string path, const Result& result) {
    const Result::State& state = *result.state();
    return {.path = std::move(path), .outcome = state.outcome, .readers = state.verdicts};
}

void count(Summary& summary, const Checked& checked) {
    ++summary.files;
    const bool is_clean = !checked.outcome.report().worst();
    ++(!checked.outcome.failure.empty() ? summary.unreadable : is_clean ? summary.clean : summary.with_findings);
}

}  // namespace

const std::string& CheckedReport::json(const char* path) {
    StringSink sink;
    write_file_json(sink, checked_of(path == nullptr ? path_ : path, *result_), {});
    return json_ = std::move(sink.text);
}

const std::string& CheckedReport::document(const char* path) {
    StringSink sink;
    JsonDocument document(sink, {});
    Summary summary;
    const auto add = [&](const Checked& checked) {
        document.file(checked);
        count(summary, checked);
    };
    document.begin();
    add(checked_of(path == nullptr ? path_ : path, *result_));
    for (const Result& companion : result_->companions()) add(checked_of(companion.state()->name, companion));
    document.finish(summary);
    return json_ = std::move(sink.text);
}

const std::string& CheckedReport::html(Bytes bytes) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = make_html_writer(sink, {});
    Summary summary;
    const auto add = [&](Checked checked, bool is_file, Bytes given) {
        KeptInput kept;
        kept.start(given.size());
        kept.take(given);
        if (!is_file) checked.kept = &kept;
        if (is_file && checked.path == "-") checked.path = "./-";  // which is not standard input
        writer->file(checked);
        count(summary, checked);
    };
    writer->begin();
    add(checked_of(path_, *result_), is_file_, bytes);
    for (const Result& companion : result_->companions())
        add(checked_of(companion.state()->name, companion), companion.state()->is_file, {});
    writer->finish(summary);
    return html_ = std::move(sink.text);
}

const std::string& CheckedReport::finding_json(size_t index) {
    JsonObject object;
    add_finding(object, outcome().report().diagnostics()[index]);
    return json_ = object.text();
}

Handles<tracelint_report, CheckedReport>& reports() {
    static auto& reports = *new Handles<tracelint_report, CheckedReport>;  // used until the last thread ends
    return reports;
}

std::string name_of(const char* path, const Options& options) {
    if (path != nullptr) return path;
    return options.file_name.empty() ? "-" : options.file_name;
}

tracelint_error hand_out(const std::string& path, bool is_file, Result&& result, tracelint_report** to) {
    if (result.failure() == Failure::options) return fail(TRACELINT_ERROR_INVALID_OPTION, result.failure_text());
    if (result.failure() == Failure::thread) return fail(TRACELINT_ERROR_NO_THREAD);
    if (result.failure() == Failure::internal) return fail(TRACELINT_ERROR_INTERNAL, result.failure_text());
    if (result.state() == nullptr) return fail(TRACELINT_ERROR_OUT_OF_MEMORY);
    auto report = std::make_unique<CheckedReport>(path, is_file, result);
    CheckedReport& added = *report;
    *to = reports().add(std::move(report));
    added.take(std::move(result));
    return TRACELINT_OK;
}

namespace {

// Calls `use` with the report of a handle, once it is known that the caller wants the result.
template <class Result, class Use>
tracelint_error with_report(const tracelint_report* handle, const Result* result, Use use) {
    return guarded([&] {
        if (handle == nullptr || result == nullptr) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        const std::shared_ptr<CheckedReport> report = reports().find(handle);
        if (report == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{use(*report)};
    });
}

tracelint_error give_text(const std::string& text, const char** to, size_t* length) {
    *to = text.c_str();
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
        if (index >= of.rules()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return fill(rule, of.rule(index));
    });
}

tracelint_error tracelint_report_json(const tracelint_report* report, const char* path, const char** json,
                                      size_t* length) {
    return with_report(report, json,
                       [&](CheckedReport& of) { return tracelint::c::give_text(of.json(path), json, length); });
}

tracelint_error tracelint_finding_json(const tracelint_report* report, size_t index, const char** json,
                                       size_t* length) {
    return with_report(report, json, [&](CheckedReport& of) {
        if (index >= of.findings()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return tracelint::c::give_text(of.finding_json(index), json, length);
    });
}

tracelint_error tracelint_report_reader(const tracelint_report* report, size_t index, tracelint_reader* reader) {
    return with_report(report, reader, [&](CheckedReport& of) {
        if (index >= of.readers()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        return fill(reader, of.reader(index));
    });
}

tracelint_error tracelint_report_companion(const tracelint_report* report, size_t index, tracelint_report** companion) {
    return with_report(report, companion, [&](CheckedReport& of) {
        if (index >= of.companions()) return fail(TRACELINT_ERROR_OUT_OF_RANGE);
        *companion = tracelint::c::reports().add(of.companion(index));
        return tracelint_error{TRACELINT_OK};
    });
}

tracelint_error tracelint_report_document(const tracelint_report* report, const char* path, const char** json,
                                          size_t* length) {
    return with_report(report, json,
                       [&](CheckedReport& of) { return tracelint::c::give_text(of.document(path), json, length); });
}

tracelint_error tracelint_report_html(const tracelint_report* report, const void* bytes, size_t size, const char** html,
                                      size_t* length) {
    return with_report(report, html, [&](CheckedReport& of) {
        if (bytes == nullptr && size != 0) return fail(TRACELINT_ERROR_NULL_ARGUMENT);
        return tracelint::c::give_text(of.html({static_cast<const uint8_t*>(bytes), size}), html, length);
    });
}

tracelint_error tracelint_report_free(tracelint_report* report) {
    if (report == nullptr) return TRACELINT_OK;
    return tracelint::c::guarded([&] {
        if (tracelint::c::reports().remove(report) == nullptr) return fail(TRACELINT_ERROR_INVALID_HANDLE);
        return tracelint_error{TRACELINT_OK};
    });
}
