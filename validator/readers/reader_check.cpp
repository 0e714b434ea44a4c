// The two walks over a file for its readers: one finds the records that they fail on, one counts what they lose.
#include "validator/readers/reader_check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "validator/input/input_rules.hpp"
#include "validator/input/source.hpp"
#include "validator/readers/unit_walk.hpp"
#include "validator/tables/rule.hpp"

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
                  std::span<FindingRecord> records)
        : verdicts_(verdicts), report_(report), records_(records) {
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
        while (next_ < records_.size() && records_[next_].offset < record.offset) ++next_;
        return !of_record_.empty() || has_finding(record);
    }
    void begin(const SeenRecord& record) override {
        if (record.index != kNone && !record.bytes.empty())
            for (size_t at = next_; at < records_.size() && has(record, records_[at].offset); ++at)
                records_[at].kind = record.bytes[0];
        const Place whole{record.offset, std::min<uint64_t>(record.length, record.bytes.size()),
                          record.record, nullptr,
                          nullptr,       record.index};
        for (const Hazard* hazard : of_record_)
            if (hazard->field.empty()) look_at(*hazard, whole, true, record.bytes);
    }
    bool wants_leaves() override {
        return std::ranges::any_of(of_record_, [](const Hazard* hazard) { return !hazard->field.empty(); });
    }
    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (leaf.kind == Leaf::Kind::raw || leaf.field == nullptr) return;
        for (const Hazard* hazard : of_record_) {
            if (hazard->field != leaf.field->name) continue;
            const Place place{record.offset + leaf.offset,
                              leaf.length,
                              record.record,
                              leaf.field,
                              leaf.list,
                              record.index,
                              leaf.element};
            look_at(*hazard, place, hazard->of_value == nullptr || hazard->of_value(leaf.number), record.bytes);
        }
    }

    // After the walk: hazards of the file as a whole.
    void report_sums() {
        for (const ReaderVerdict& verdict : verdicts_)
            for (const Hazard& hazard : verdict.reader->hazards) {
                const auto sum = sums_.find(hazard.rule);
                if (sum == sums_.end() || sum->second.is_reported) continue;
                const bool is_asked = hazard.scope == Scope::any || verdict.total != 0;
                sum->second.is_reported = is_asked && sum->second.is_met == (hazard.scope == Scope::any);
                if (sum->second.is_reported) report_.add(*hazard.rule, sum->second.first, {});
            }
    }

  private:
    using Scope = Hazard::Scope;
    struct Sum {
        Place first;
        bool is_met = false, is_reported = false;
    };
    static bool has(const FramedRecord& record, uint64_t offset) { return offset - record.offset < record.length; }
    bool has_finding(const FramedRecord& record) const {
        return next_ < records_.size() && has(record, records_[next_].offset);
    }
    // Several readers may share one.
    bool is_known(const Hazard& hazard) const { return std::ranges::find(hazards_, &hazard) != hazards_.end(); }
    void look_at(const Hazard& hazard, const Place& place, bool fits, Bytes record) {
        fits = fits && (hazard.of_bytes == nullptr || hazard.of_bytes(record));
        if (hazard.scope != Scope::each)
            sums_.try_emplace(hazard.rule, Sum{place}).first->second.is_met |= fits;
        else if (fits)
            add(hazard, place);
    }
    // A reader that refuses the file does so once.
    void add(const Hazard& hazard, const Place& place) {
        const bool is_last = hazard.outcome >= ReaderOutcome::drops_rest;
        if (is_last && report_.count(*hazard.rule) != 0) return;
        report_.add(*hazard.rule, place, {});
    }

    std::vector<ReaderVerdict>& verdicts_;
    Report& report_;
    std::vector<const Hazard*> hazards_, of_record_;
    std::map<const Rule*, Sum> sums_;   // of hazards of the file as a whole
    std::span<FindingRecord> records_;  // of the findings
    size_t next_ = 0;                   // the first one that is not before the record
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

void add_finding(ReaderVerdict& verdict, const Diagnostic& finding, ReaderOutcome outcome, uint64_t count) {
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

bool names_limit(const Report& report) {
    return std::ranges::any_of(report.found_rules(), [](const Rule* rule) { return is_tracking_limit(*rule); });
}

// Whether findings are missing for which the budget had no memory, not because there are so many of a rule.
bool lacks_findings(const Report& report, size_t kept_per_rule) {
    const size_t most = kept_per_rule == 0 ? kKeptFindings : kept_per_rule;
    const std::map<std::string_view, uint64_t> counts = report.counts();
    return report.diagnostics().size() < kKeptFindings &&
           std::ranges::any_of(
               report.not_kept(),
               [&](const auto& missing) { return counts.at(missing.first) - missing.second < most; });
}

// Nothing is known of what the reader does.
void forget(ReaderVerdict& verdict, Unfollowed why) {
    verdict = {.reader = verdict.reader, .outcome = ReaderOutcome::untried, .total = verdict.total, .unfollowed = why};
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

// Whether a number of the statistics is that of records of this name: "LOAD" of JIT_CODE_LOAD, "samples" of SAMPLE.
bool is_count_of(std::string_view name, std::string_view record) {
    if (name == record || (record.starts_with("JIT_CODE_") && name == record.substr(9))) return true;
    const auto is_same = [](char small, char capital) { return capital >= 'A' && small == capital - 'A' + 'a'; };
    return name.ends_with('s') && std::ranges::equal(name.substr(0, name.size() - 1), record, is_same);
}

// The sum of the verdict's units by the walk of the check, which goes on where dump does not.
uint64_t counted_by_walk(const TraceReader& reader, const Outcome& outcome) {
    uint64_t sum = 0;
    for (const auto& [name, count] : outcome.context.statistics)
        for (const std::string_view record : reader.unit_records)
            if (is_count_of(name, record)) sum += count;
    return sum;
}

}  // namespace

FindingTraits ReaderCheck::traits_of(const Diagnostic& finding, const Outcome& outcome) const {
    FindingTraits traits;
    const auto record = std::ranges::lower_bound(records_, finding.place.offset, {}, &FindingRecord::offset);
    if (record != records_.end() && record->offset == finding.place.offset) traits.kind = record->kind;
    traits.largest = std::ranges::max(finding.numbers);
    traits.size = outcome.size.value_or(0);
    traits.at_end = outcome.size && finding.place.offset != kNone && finding.place.offset <= *outcome.size &&
                    finding.place.length >= *outcome.size - finding.place.offset;
    return traits;
}

// Whether the next reading is worth its while: the last one did not fail, and somebody waits for the result.
bool ReaderCheck::goes_on(Outcome& outcome, const Source& source) const {
    outcome.failure = source.failure();
    if (!outcome.failure.empty() || !is_interrupted_ || !is_interrupted_()) return outcome.failure.empty();
    outcome.failure = kInterrupted;
    outcome.context.limit_hit = true;
    return false;
}

// Where the findings are, in whose records the walk looks. False: the budget does not allow for it.
bool ReaderCheck::note_records(const Outcome& outcome) {
    for (const Diagnostic& finding : outcome.report().diagnostics()) {  // which are sorted by their offsets
        const uint64_t offset = finding.place.offset;
        if (finding.rule->of_input || (!records_.empty() && records_.back().offset == offset)) continue;
        if (!records_.push_back({.offset = offset})) return false;
    }
    return true;
}

// False: not all records were looked at, because of a limit.
bool ReaderCheck::find_hazards(Outcome& outcome, Source& source) {
    const bool has_records = note_records(outcome);
    const ReaderFile file = facts_of(outcome);
    std::vector<const Rule*> reported;
    for (const ReaderVerdict& verdict : verdicts_)
        report_hazards_of_file(verdict, file, outcome.context.report, reported);
    HazardVisitor visitor(verdicts_, file, outcome.context.report, {records_.begin(), records_.end()});
    const UnitWalk walked =
        walk_units(source, *outcome.format, options_.settings, limits_left(), visitor, outcome.context.work);
    most_walked_ = std::max(most_walked_, records_.charged() + walked.memory);
    for (ReaderVerdict& verdict : verdicts_) {
        verdict.total = std::max(verdict.total, counted_by_walk(*verdict.reader, outcome));
        verdict.uncounted = verdict.reader->unit_records.empty() ? 0 : walked.uncounted;
        verdict.is_unread = !walked.has_walked;
    }
    visitor.report_sums();
    return has_records && !walked.hit_limit;
}

// Asks the model. Nothing if the source cannot be read again.
Followed ReaderCheck::follow_one(ReaderVerdict& verdict, Outcome& outcome, Source& source, bool& was_interrupted) {
    verdict.is_unread |= !source.seek(0);
    if (verdict.is_unread) return NoOpinion();
    OpenedInput input(source, budget_);
    Window window(input.trace(), &outcome.context.work, &budget_);
    const ReaderFile file = facts_of(outcome);
    FollowContext context(file, window, budget_, outcome.context.work, is_interrupted_);
    const Followed said = tracelint::follow(*verdict.reader, context);
    was_interrupted = context.was_interrupted();
    return said;
}

// Where the reader ends, the format's own finding says so, if there is one.
void ReaderCheck::report_forecast(ReaderVerdict& verdict, Outcome& outcome) {
    Forecast& forecast = *verdict.forecast;
    if (forecast.rule == nullptr) return;
    OutcomeTable& table = table_of(verdict);
    for (const Diagnostic& finding : outcome.report().diagnostics()) {
        const uint64_t offset = finding.place.offset, length = std::max<uint64_t>(forecast.length, 1);
        if (offset < forecast.offset || offset - forecast.offset >= length || finding.rule->of_container) continue;
        if (table.outcome_of(*finding.rule, traits_of(finding, outcome)) != forecast.outcome) continue;
        forecast.rule = finding.rule;
        forecast.offset = offset;
        return;
    }
    const uint64_t left = outcome.size ? *outcome.size - std::min(forecast.offset, *outcome.size) : forecast.length;
    outcome.context.report.add(*forecast.rule, {forecast.offset, std::min(forecast.length, left)}, {});
}

// False: reading failed, or nobody waits for the result.
bool ReaderCheck::follow_readers(Outcome& outcome, Source& source) {
    for (ReaderVerdict& verdict : verdicts_) {
        if (verdict.reader->model == nullptr || verdict.unfollowed) continue;
        bool was_interrupted = false;
        const Followed said = follow_one(verdict, outcome, source, was_interrupted);
        if (!goes_on(outcome, source)) return false;
        if (was_interrupted) {
            outcome.failure = kInterrupted;
            outcome.context.limit_hit = true;
            return false;
        }
        if (const auto* forecast = std::get_if<Forecast>(&said)) {
            verdict.forecast = *forecast;
            report_forecast(verdict, outcome);
        }
        if (const auto* why = std::get_if<Unfollowed>(&said)) verdict.unfollowed = *why;
    }
    return true;
}

void ReaderCheck::sum_up(ReaderVerdict& verdict, const Outcome& outcome) {
    if (verdict.unfollowed) return forget(verdict, *verdict.unfollowed);
    const std::map<std::string_view, uint64_t> not_kept = outcome.report().not_kept();
    std::set<const Rule*> seen;
    OutcomeTable& table = table_of(verdict);
    for (const Diagnostic& finding : outcome.report().diagnostics()) {
        if (table.is_foretold(*finding.rule)) continue;
        uint64_t count = 1;
        // Those that are not kept are counted with the first one of their rule.
        if (seen.insert(finding.rule).second)
            if (const auto more = not_kept.find(finding.rule->id); more != not_kept.end()) count += more->second;
        add_finding(verdict, finding, table.outcome_of(*finding.rule, traits_of(finding, outcome)), count);
    }
    if (verdict.forecast) believe(verdict);
    // A report tells of one file that the reader failed on, and nothing of the others.
    const bool is_unknown =
        verdict.untried + verdict.untried_warnings != 0 || verdict.reader->evidence == "by a report";
    if (verdict.outcome == ReaderOutcome::loads && is_unknown) verdict.outcome = ReaderOutcome::untried;
    if (verdict.is_unread && !severity_of(verdict.outcome)) verdict.outcome = ReaderOutcome::untried;
}

// False: reading failed.
bool ReaderCheck::count_lost(Outcome& outcome, Source& source) {
    const auto stops = [](const ReaderVerdict& verdict) { return verdict.outcome == ReaderOutcome::drops_rest; };
    if (std::ranges::none_of(verdicts_, stops)) return true;
    for (ReaderVerdict& verdict : verdicts_)
        if (stops(verdict)) verdict.lost = verdict.total;
    LossVisitor visitor(verdicts_);
    const UnitWalk walked =
        walk_units(source, *outcome.format, options_.settings, limits_left(), visitor, outcome.context.work);
    for (ReaderVerdict& verdict : verdicts_)
        if (stops(verdict) && !walked.has_walked) verdict.lost = verdict.total = 0;
    outcome.failure = source.failure();
    return outcome.failure.empty();
}

// What the verdicts say is of several readings of the file: they must have been of the same bytes.
void ReaderCheck::doubt(Outcome& outcome, const Source& source) {
    Report& report = outcome.context.report;
    if (source.has_changed() && report.count(kInputChanged) == 0) report.add(kInputChanged, {}, {});
    for (ReaderVerdict& verdict : verdicts_) {
        if (report.count(kInputChanged) != 0) forget(verdict, Unfollowed::changed);
        if (!verdict.unfollowed || !is_limit(*verdict.unfollowed)) continue;
        outcome.context.limit_hit = true;
        if (*verdict.unfollowed == Unfollowed::limit && names_limit(report)) continue;
        Diagnostic finding;
        finding.rule = &kModelLimit;
        finding.text = verdict.reader->name;
        report.add(finding);
    }
}

// The file is of no format that the readers know, if of any.
void ReaderCheck::refuse(const Rule& why) {
    verdicts_.push_back({readers_.front(), ReaderOutcome::refuses, &why, 0, 1});
    tables_.emplace_back(*readers_.front());
}

// The file is of no known format, or a limit left it unknown.
void ReaderCheck::refuse_unknown(Outcome& outcome) {
    refuse(outcome.report().count(kEmptyInput) != 0 ? kEmptyInput : kUnknownFormat);
    if (!outcome.context.limit_hit) return;
    verdicts_.front().unfollowed = Unfollowed::limit;
    sum_up(verdicts_.front(), outcome);
}

void ReaderCheck::refuse_other_format(Outcome& outcome) {
    Diagnostic finding;
    finding.rule = &kOtherFormat;
    finding.text = readers_.front()->name;
    outcome.context.report.add(finding);
    refuse(kOtherFormat);
}

void ReaderCheck::look_at(Outcome& outcome, Source& source) {
    if (outcome.format == nullptr) return refuse_unknown(outcome);
    for (const TraceReader* reader : readers_) {
        if (reader->format != outcome.format) continue;
        verdicts_.push_back({.reader = reader});
        tables_.emplace_back(*reader);
    }
    if (verdicts_.empty()) return refuse_other_format(outcome);
    const bool is_complete = find_hazards(outcome, source) && !outcome.context.limit_hit;
    for (ReaderVerdict& verdict : verdicts_)
        if (!is_complete) verdict.unfollowed = Unfollowed::limit;
    bool is_well = goes_on(outcome, source) && follow_readers(outcome, source);
    if (is_well) {
        const bool lacks = lacks_findings(outcome.report(), all_findings().report.kept_per_rule);
        for (ReaderVerdict& verdict : verdicts_) {
            if (lacks && !verdict.unfollowed) verdict.unfollowed = Unfollowed::limit;
            sum_up(verdict, outcome);
        }
        is_well = count_lost(outcome, source);
    }
    if (is_well) return doubt(outcome, source);
    verdicts_.clear();
}

// What the reader does because of the finding, and no more than what it does with the file: it does not come to a fault
// behind the one that ends its reading. The finding's own severity if it has not been tried.
std::optional<Severity> ReaderCheck::severity_by(const ReaderVerdict& verdict, const Diagnostic& finding,
                                                 const FindingTraits& traits) {
    OutcomeTable& table = table_of(verdict);
    const bool is_limited = verdict.unfollowed && is_limit(*verdict.unfollowed);
    // Within limits, no more than with any other verdict.
    const ReaderOutcome does = is_limited ? table.mildest_of(*finding.rule) : table.outcome_of(*finding.rule, traits);
    if (does == ReaderOutcome::untried) {
        // Whatever a reader that is followed makes of it, it does not end there.
        const bool may_be_followed = verdict.forecast || (is_limited && verdict.reader->model != nullptr);
        return may_be_followed ? std::nullopt : std::optional(severity_of(finding));
    }
    if (is_limited) return severity_of(std::min(does, ReaderOutcome::misreads));
    return severity_of(verdict.unfollowed ? does : std::min(does, verdict.outcome));
}

// The worst of the readers'; its own without a verdict about the records of the file.
std::optional<Severity> ReaderCheck::severity_for_readers(const Diagnostic& finding, const Outcome& outcome) {
    if (verdicts_.empty() || outcome.format == nullptr || is_tracking_limit(*finding.rule)) return severity_of(finding);
    std::optional<Severity> worst;
    const FindingTraits traits = traits_of(finding, outcome);
    for (const ReaderVerdict& verdict : verdicts_) worst = std::max(worst, severity_by(verdict, finding, traits));
    return worst;
}

// By the user's choice, if there is one.
std::optional<Severity> ReaderCheck::severity_of_finding(const Diagnostic& finding, const Outcome& outcome) {
    const ReportOptions& listed = options_.report;
    if (listed.filter != nullptr && !listed.filter->admits(*finding.rule)) return std::nullopt;
    const auto* choice = listed.severities == nullptr ? nullptr : listed.severities->of(*finding.rule);
    return choice == nullptr ? severity_for_readers(finding, outcome) : choice->severity;
}

void ReaderCheck::judge(Outcome& outcome, Source& source) {
    Report& report = outcome.context.report;
    if (outcome.failure.empty()) {
        report.reopen(all_findings().report);
        report.charge_to(budget_);
        look_at(outcome, source);
        report.finish();
    }
    report.grade([&](const Diagnostic& finding) { return severity_of_finding(finding, outcome); },
                 options_.report.kept_per_rule);
}

}  // namespace tracelint
