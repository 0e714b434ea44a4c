// The two walks over a file for its readers: one finds the records that they fail on, one counts what they lose.
#include "validator/tool/readers/reader_check.hpp"

#include <algorithm>

#include "validator/tool/readers/unit_walk.hpp"

namespace tracelint {
namespace {

ReaderFile facts_of(const Outcome& outcome) {
    const std::string_view path = outcome.context.file_name;
    return {outcome.context.identity, outcome.container, path.substr(path.rfind('/') + 1),
            outcome.size.value_or(kNone)};
}

bool is_unit(const TraceReader& reader, const Record& record) {
    return std::ranges::find(reader.unit_records, record.name) != reader.unit_records.end();
}

// Reports the hazards that hold for records, counts the units of each reader, and notes the kinds of the records that
// the findings so far are in.
class HazardVisitor final : public RecordVisitor {
  public:
    HazardVisitor(std::vector<ReaderVerdict>& verdicts, const ReaderFile& file, Report& report,
                  std::map<uint64_t, uint8_t>& kinds)
        : verdicts_(verdicts), report_(report), kinds_(kinds) {
        for (const Diagnostic& finding : report.diagnostics())
            if (!finding.rule->of_input) offsets_.push_back(finding.place.offset);
        std::ranges::sort(offsets_);
        for (const ReaderVerdict& verdict : verdicts)
            for (const Hazard& hazard : verdict.reader->hazards)
                if (!hazard.record.empty() && (hazard.of_file == nullptr || hazard.of_file(file)) && !is_known(hazard))
                    hazards_.push_back(&hazard);
    }

    bool wants(const FramedRecord& record) override {
        for (ReaderVerdict& verdict : verdicts_)
            if (is_unit(*verdict.reader, *record.record)) ++verdict.total;
        of_record_.clear();
        for (const Hazard* hazard : hazards_)
            if (hazard->record == record.record->name) of_record_.push_back(hazard);
        while (next_ < offsets_.size() && offsets_[next_] < record.offset) ++next_;
        return !of_record_.empty() || has_finding(record);
    }
    void begin(const SeenRecord& record) override {
        if (record.index != kNone && !record.bytes.empty())
            for (size_t at = next_; at < offsets_.size() && has(record, offsets_[at]); ++at)
                kinds_.emplace(offsets_[at], record.bytes[0]);
        for (const Hazard* hazard : of_record_)
            if (hazard->field.empty())
                add(*hazard, {record.offset, std::min<uint64_t>(record.length, record.bytes.size()), record.record,
                              nullptr, nullptr, record.index});
    }
    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (leaf.kind == Leaf::Kind::raw || leaf.field == nullptr) return;
        for (const Hazard* hazard : of_record_) {
            if (hazard->field != leaf.field->name) continue;
            if (hazard->of_value != nullptr && !hazard->of_value(leaf.number)) continue;
            if (hazard->of_bytes != nullptr && !hazard->of_bytes(record.bytes)) continue;
            add(*hazard, {record.offset + leaf.offset, leaf.length, record.record, leaf.field, leaf.list, record.index,
                          leaf.element});
        }
    }

  private:
    static bool has(const FramedRecord& record, uint64_t offset) { return offset - record.offset < record.length; }
    bool has_finding(const FramedRecord& record) const {
        return next_ < offsets_.size() && has(record, offsets_[next_]);
    }
    // Several readers may share one.
    bool is_known(const Hazard& hazard) const { return std::ranges::find(hazards_, &hazard) != hazards_.end(); }
    // A reader that refuses the file does so once.
    void add(const Hazard& hazard, const Place& place) {
        const bool is_last = hazard.outcome >= ReaderOutcome::drops_rest;
        if (is_last && report_.count(*hazard.rule) != 0) return;
        report_.add(*hazard.rule, place, {});
    }

    std::vector<ReaderVerdict>& verdicts_;
    Report& report_;
    std::vector<const Hazard*> hazards_, of_record_;
    std::vector<uint64_t> offsets_;  // of the findings, in rising order
    size_t next_ = 0;                // the first one that is not before the record
    std::map<uint64_t, uint8_t>& kinds_;
};

// Counts the units that end before the place where their reader stops.
class LossVisitor final : public RecordVisitor {
  public:
    explicit LossVisitor(std::vector<ReaderVerdict>& verdicts) : verdicts_(verdicts) {}
    bool wants(const FramedRecord& record) override {
        for (ReaderVerdict& verdict : verdicts_) {
            if (verdict.outcome != ReaderOutcome::drops_rest || !is_unit(*verdict.reader, *record.record)) continue;
            if (record.length <= verdict.offset && record.offset <= verdict.offset - record.length) --verdict.lost;
        }
        return false;
    }

  private:
    std::vector<ReaderVerdict>& verdicts_;
};

// Whether a reader that goes through the file from its start sees nothing after a finding of this outcome.
bool ends_reading(ReaderOutcome outcome) { return outcome >= ReaderOutcome::drops_rest; }

bool is_after_reading(const TraceReader& reader, const Rule* rule) {
    const auto hazard = std::ranges::find(reader.hazards, rule, &Hazard::rule);
    return hazard != reader.hazards.end() && hazard->after_reading;
}

// Whether a finding decides what the reader does, and not those before it: the first one that ends its reading, or else
// the worst.
bool decides(const ReaderVerdict& verdict, const Rule& rule, ReaderOutcome outcome, uint64_t offset) {
    const bool ends = ends_reading(outcome), ended = ends_reading(verdict.outcome);
    if (ends != ended) return ends;
    if (!ends) return outcome > verdict.outcome || (outcome == verdict.outcome && offset < verdict.offset);
    const bool is_late = is_after_reading(*verdict.reader, &rule);
    if (is_late != is_after_reading(*verdict.reader, verdict.rule)) return !is_late;
    return offset < verdict.offset || (offset == verdict.offset && outcome > verdict.outcome);
}

void add_finding(ReaderVerdict& verdict, const Diagnostic& finding, const FindingTraits& traits, uint64_t count) {
    const ReaderOutcome outcome = outcome_of(*verdict.reader, *finding.rule, traits);
    if (outcome == ReaderOutcome::untried && (!finding.rule->of_input || finding.rule->of_container)) {
        const Severity severity = severity_of(finding);
        if (severity == Severity::error) verdict.untried += count;
        if (severity == Severity::warning) verdict.untried_warnings += count;
    }
    if (!severity_of(outcome)) return;
    const bool is_same = outcome == verdict.outcome;
    if (is_same) verdict.places += count;
    if (!decides(verdict, *finding.rule, outcome, finding.place.offset)) return;
    if (!is_same) verdict.places = count;
    verdict.outcome = outcome;
    verdict.rule = finding.rule;
    verdict.offset = finding.place.offset;
}

// The model knows whether the reader comes to the end.
void believe(ReaderVerdict& verdict) {
    const Forecast& forecast = *verdict.forecast;
    if (forecast.of_one_fault && ends_reading(verdict.outcome) && verdict.offset <= forecast.offset) return;
    verdict.untried = verdict.untried_warnings = 0;
    if (forecast.rule == nullptr) {
        if (verdict.outcome > ReaderOutcome::drops_rest) verdict.outcome = ReaderOutcome::misreads;
        return;
    }
    verdict.outcome = forecast.outcome;
    verdict.rule = forecast.rule;
    verdict.offset = forecast.offset;
    verdict.places = 1;
}

void report_hazards_of_file(const ReaderVerdict& verdict, const ReaderFile& file, Report& report,
                            std::vector<const Rule*>& reported) {
    for (const Hazard& hazard : verdict.reader->hazards) {
        if (!hazard.record.empty() || !hazard.of_file(file)) continue;
        if (std::ranges::find(reported, hazard.rule) != reported.end()) continue;
        reported.push_back(hazard.rule);
        report.add(*hazard.rule, {}, {});
    }
}

// The sum of the verdict's units by the walk of the check, which goes on where dump does not.
uint64_t counted_by_walk(const TraceReader& reader, const Outcome& outcome) {
    uint64_t sum = 0;
    for (const auto& [name, count] : outcome.context.statistics)
        for (const std::string_view record : reader.unit_records)
            if (name == record || (record.starts_with("JIT_CODE_") && name == record.substr(9))) sum += count;
    return sum;
}

}  // namespace

FindingTraits ReaderCheck::traits_of(const Diagnostic& finding, const Outcome& outcome) const {
    FindingTraits traits;
    if (const auto kind = kinds_.find(finding.place.offset); kind != kinds_.end()) traits.kind = kind->second;
    traits.largest = std::ranges::max(finding.numbers);
    traits.size = outcome.size.value_or(0);
    traits.at_end = outcome.size && finding.place.offset != kNone && finding.place.offset <= *outcome.size &&
                    finding.place.length >= *outcome.size - finding.place.offset;
    return traits;
}

void ReaderCheck::sum_up(ReaderVerdict& verdict, const Outcome& outcome) const {
    const std::map<std::string_view, uint64_t> not_kept = outcome.report().not_kept();
    std::vector<const Rule*> seen;
    for (const Diagnostic& finding : outcome.report().diagnostics()) {
        uint64_t count = 1;
        // Those that are not kept are counted with the first one of their rule.
        if (std::ranges::find(seen, finding.rule) == seen.end()) {
            seen.push_back(finding.rule);
            if (const auto more = not_kept.find(finding.rule->id); more != not_kept.end()) count += more->second;
        }
        add_finding(verdict, finding, traits_of(finding, outcome), count);
    }
    if (verdict.forecast) believe(verdict);
    // A report tells of one file that the reader failed on, and nothing of the others.
    const bool is_unknown =
        verdict.untried + verdict.untried_warnings != 0 || verdict.reader->evidence == "by a report";
    if (verdict.outcome == ReaderOutcome::loads && is_unknown) verdict.outcome = ReaderOutcome::untried;
    if (verdict.is_unread && !severity_of(verdict.outcome)) verdict.outcome = ReaderOutcome::untried;
}

void ReaderCheck::find_hazards(Outcome& outcome, Source& source) {
    const ReaderFile file = facts_of(outcome);
    std::vector<const Rule*> reported;
    for (const ReaderVerdict& verdict : verdicts_)
        report_hazards_of_file(verdict, file, outcome.context.report, reported);
    HazardVisitor visitor(verdicts_, file, outcome.context.report, kinds_);
    const UnitWalk walked = walk_units(source, *outcome.format, options_, visitor);
    for (ReaderVerdict& verdict : verdicts_) {
        verdict.total = std::max(verdict.total, counted_by_walk(*verdict.reader, outcome));
        verdict.uncounted = verdict.reader->unit_records.empty() ? 0 : walked.uncounted;
        verdict.is_unread = !walked.has_walked;
    }
}

// Where the reader ends, the format's own finding says so, if there is one.
void ReaderCheck::follow(ReaderVerdict& verdict, Outcome& outcome, Source& source) const {
    const TraceReader& reader = *verdict.reader;
    if (reader.follow == nullptr || !source.seek(0)) return;
    Budget budget(options_.limits.memory);
    OpenedInput input(source, budget);
    Window window(input.trace(), nullptr, &budget);
    verdict.forecast = reader.follow(facts_of(outcome), window, budget);
    if (!verdict.forecast || verdict.forecast->rule == nullptr) return;
    Forecast& forecast = *verdict.forecast;
    for (const Diagnostic& finding : outcome.report().diagnostics()) {
        const uint64_t offset = finding.place.offset, length = std::max<uint64_t>(forecast.length, 1);
        if (offset < forecast.offset || offset - forecast.offset >= length || finding.rule->of_container) continue;
        if (outcome_of(reader, *finding.rule, traits_of(finding, outcome)) != forecast.outcome) continue;
        forecast.rule = finding.rule;
        forecast.offset = offset;
        return;
    }
    const uint64_t left = outcome.size ? *outcome.size - std::min(forecast.offset, *outcome.size) : forecast.length;
    outcome.context.report.add(*forecast.rule, {forecast.offset, std::min(forecast.length, left)}, {});
}

void ReaderCheck::count_lost(const Outcome& outcome, Source& source) {
    const auto stops = [](const ReaderVerdict& verdict) { return verdict.outcome == ReaderOutcome::drops_rest; };
    if (std::ranges::none_of(verdicts_, stops)) return;
    for (ReaderVerdict& verdict : verdicts_)
        if (stops(verdict)) verdict.lost = verdict.total;
    LossVisitor visitor(verdicts_);
    walk_units(source, *outcome.format, options_, visitor);
}

void ReaderCheck::look_at(Outcome& outcome, Source& source) {
    for (const TraceReader* reader : readers_)
        if (reader->format == outcome.format) verdicts_.push_back({.reader = reader});
    if (verdicts_.empty()) {
        Diagnostic finding;
        finding.rule = &kOtherFormat;
        finding.text = readers_.front()->name;
        outcome.context.report.add(finding);
        verdicts_.push_back({readers_.front(), ReaderOutcome::refuses, &kOtherFormat, 0, 1});
        return;
    }
    find_hazards(outcome, source);
    for (ReaderVerdict& verdict : verdicts_) follow(verdict, outcome, source);
    for (ReaderVerdict& verdict : verdicts_) sum_up(verdict, outcome);
    count_lost(outcome, source);
}

// The worst of what the readers do because of the finding, and for none more than what it does with the file: it does
// not come to a fault behind the one that ends its reading. Its own if one of them has not been tried.
std::optional<Severity> ReaderCheck::severity_for_readers(const Diagnostic& finding, const Outcome& outcome) const {
    std::optional<Severity> worst;
    const FindingTraits traits = traits_of(finding, outcome);
    for (const ReaderVerdict& verdict : verdicts_) {
        const ReaderOutcome does = outcome_of(*verdict.reader, *finding.rule, traits);
        const bool is_untried = does == ReaderOutcome::untried;
        if (is_untried && verdict.forecast) continue;  // whatever it makes of it, it does not end there
        const std::optional<Severity> severity =
            is_untried ? severity_of(finding) : severity_of(std::min(does, verdict.outcome));
        worst = std::max(worst, severity);
    }
    return worst;
}

// By the user's choice, if there is one.
std::optional<Severity> ReaderCheck::severity_of_finding(const Diagnostic& finding, const Outcome& outcome) const {
    const ReportOptions& listed = options_.report;
    if (listed.filter != nullptr && !listed.filter->admits(*finding.rule)) return std::nullopt;
    const auto* choice = listed.severities == nullptr ? nullptr : listed.severities->of(*finding.rule);
    return choice == nullptr ? severity_for_readers(finding, outcome) : choice->severity;
}

void ReaderCheck::judge(Outcome& outcome, Source& source) {
    Report& report = outcome.context.report;
    if (outcome.format != nullptr && outcome.failure.empty()) {
        report.reopen(all_findings().report);
        look_at(outcome, source);
        report.finish();
    }
    report.grade([&](const Diagnostic& finding) { return severity_of_finding(finding, outcome); },
                 options_.report.kept_per_rule);
}

}  // namespace tracelint
