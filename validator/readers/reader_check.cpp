// The two walks over a file for its readers: the first finds the records that they fail on, the second counts what they
// lose.
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

using Views = std::vector<std::unique_ptr<ReaderView>>;

// Reports the hazards that hold for records, counts the units of each reader, and notes the kinds of the records that
// the findings of the check are in.
class HazardVisitor final : public RecordVisitor {
  public:
    HazardVisitor(const Views& views, const ReaderFile& file, std::span<FindingRecord> records)
        : views_(views), records_(records) {
        for (const auto& view : views)
            for (const Hazard& hazard : view->verdict.reader->hazards)
                if (!hazard.record.empty() && (hazard.of_file == nullptr || hazard.of_file(file)))
                    looked_for(hazard).views.push_back(view.get());
    }

    bool wants(const FramedRecord& record) override {
        if (record.record != kind_) look_up(*record.record);
        for (ReaderView* view : counting_) ++view->verdict.total;
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
        for (const LookedFor* one : of_record_)
            if (one->hazard->field.empty()) look_at(*one, whole, true, record.bytes);
    }
    bool wants_leaves() override {
        return std::ranges::any_of(of_record_, [](const LookedFor* one) { return !one->hazard->field.empty(); });
    }
    void leaf(const SeenRecord& record, const Leaf& leaf) override {
        if (leaf.kind == Leaf::Kind::raw || leaf.field == nullptr) return;
        for (const LookedFor* one : of_record_) {
            const Hazard& hazard = *one->hazard;
            if (hazard.field != leaf.field->name) continue;
            const Place place{record.offset + leaf.offset,
                              leaf.length,
                              record.record,
                              leaf.field,
                              leaf.list,
                              record.index,
                              leaf.element};
            look_at(*one, place, hazard.of_value == nullptr || hazard.of_value(leaf.number), record.bytes);
        }
    }

    // After the walk: hazards of the file as a whole.
    void report_sums() {
        for (const LookedFor& one : hazards_) {
            const auto sum = sums_.find(one.hazard->rule);
            if (sum == sums_.end()) continue;
            const bool wants_any = one.hazard->scope == Scope::any;
            if (sum->second.is_matched != wants_any) continue;
            for (ReaderView* view : one.views)
                if ((wants_any || view->verdict.total != 0) && view->own.count(*one.hazard->rule) == 0)
                    view->own.add(*one.hazard->rule, sum->second.first, {});
        }
    }

  private:
    using Scope = Hazard::Scope;
    struct Sum {
        Place first;
        bool is_matched = false;
    };
    static bool has(const FramedRecord& record, uint64_t offset) { return offset - record.offset < record.length; }
    bool has_finding(const FramedRecord& record) const {
        return next_ < records_.size() && has(record, records_[next_].offset);
    }
    // Several readers may share one.
    struct LookedFor {
        const Hazard* hazard;
        std::vector<ReaderView*> views;
    };
    // Records of one kind mostly follow each other.
    void look_up(const Record& record) {
        kind_ = &record;
        counting_.clear();
        for (const auto& view : views_)
            if (is_unit(*view->verdict.reader, record)) counting_.push_back(view.get());
        of_record_.clear();
        for (const LookedFor& one : hazards_)
            if (one.hazard->record == record.name) of_record_.push_back(&one);
    }
    LookedFor& looked_for(const Hazard& hazard) {
        const auto known = std::ranges::find(hazards_, &hazard, &LookedFor::hazard);
        return known == hazards_.end() ? hazards_.emplace_back(&hazard) : *known;
    }
    void look_at(const LookedFor& one, const Place& place, bool fits, Bytes record) {
        const Hazard& hazard = *one.hazard;
        fits = fits && (hazard.of_bytes == nullptr || hazard.of_bytes(record));
        if (hazard.scope != Scope::each)
            sums_.try_emplace(hazard.rule, Sum{place}).first->second.is_matched |= fits;
        else if (fits)
            add(one, place);
    }
    // A reader that refuses the file does so once.
    static void add(const LookedFor& one, const Place& place) {
        const bool is_last = one.hazard->outcome >= ReaderOutcome::drops_rest;
        for (ReaderView* view : one.views)
            if (!is_last || view->own.count(*one.hazard->rule) == 0) view->own.add(*one.hazard->rule, place, {});
    }

    const Views& views_;
    std::vector<LookedFor> hazards_;
    const Record* kind_ = nullptr;             // of the last record
    std::vector<ReaderView*> counting_;        // those that count records of its kind
    std::vector<const LookedFor*> of_record_;  // what is looked for in them
    std::map<const Rule*, Sum> sums_;          // of hazards of the file as a whole
    std::span<FindingRecord> records_;         // of the findings
    size_t next_ = 0;                          // the first one that is not before the record
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
void apply_forecast(ReaderVerdict& verdict) {
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
    verdict.reason = forecast.reason;
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

void report_hazards_of_file(ReaderView& view, const ReaderFile& file) {
    for (const Hazard& hazard : view.verdict.reader->hazards)
        if (hazard.record.empty() && hazard.of_file(file) && view.own.count(*hazard.rule) == 0)
            view.own.add(*hazard.rule, {}, {});
}

// Whether a number of the statistics is that of records of this name: "LOAD" of JIT_CODE_LOAD, "samples" of SAMPLE.
bool is_count_of(std::string_view name, std::string_view record) {
    if (name == record || (record.starts_with("JIT_CODE_") && name == record.substr(9))) return true;
    const auto is_same = [](char small, char capital) { return capital >= 'A' && small == capital - 'A' + 'a'; };
    return name.ends_with('s') && std::ranges::equal(name.substr(0, name.size() - 1), record, is_same);
}

// The sum of the verdict's units by the walk of the check, which continues where dump does not.
uint64_t counted_by_walk(const TraceReader& reader, const Outcome& outcome) {
    uint64_t sum = 0;
    for (const auto& [name, count] : outcome.context.statistics)
        for (const std::string_view record : reader.unit_records)
            if (is_count_of(name, record)) sum += count;
    return sum;
}

}  // namespace

bool is_unit(const TraceReader& reader, const Record& record) {
    return std::ranges::find(reader.unit_records, record.name) != reader.unit_records.end();
}

void ReaderVerdict::forget(Unpredicted why) {
    *this = {.reader = reader, .outcome = ReaderOutcome::untried, .total = total, .unpredicted = why};
}

ReaderFile ReaderCheck::facts_of(const Outcome& outcome) const {
    const std::string_view path = outcome.context.file_name;
    return {outcome.context.identity, outcome.container, path.substr(path.rfind('/') + 1), outcome.size.value_or(kNone),
            is_foreign_};
}

FindingTraits ReaderCheck::traits_of(const Diagnostic& finding, const Outcome& outcome) const {
    FindingTraits traits;
    const auto record = std::ranges::lower_bound(records_, finding.place.offset, {}, &FindingRecord::offset);
    if (record != records_.end() && record->offset == finding.place.offset) traits.kind = record->kind;
    traits.largest = std::ranges::max(finding.numbers);
    traits.size = outcome.size.value_or(0);
    if (finding.place.record != nullptr) traits.record = finding.place.record->name;
    traits.at_end = outcome.size && finding.place.offset != kNone && finding.place.offset <= *outcome.size &&
                    finding.place.length >= *outcome.size - finding.place.offset;
    return traits;
}

// Whether the next reading is worth its while: the last one did not fail, and somebody waits for the result.
bool ReaderCheck::can_continue(Outcome& outcome, const Source& source) const {
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
    for (const auto& view : views_) report_hazards_of_file(*view, file);
    HazardVisitor visitor(views_, file, {records_.begin(), records_.end()});
    const UnitWalk walked =
        walk_units(source, *outcome.format, options_.settings, limits_left(), visitor, outcome.context.work);
    most_walked_ = std::max(most_walked_, records_.charged() + walked.memory);
    for (const auto& view : views_) {
        ReaderVerdict& verdict = view->verdict;
        verdict.total = std::max(verdict.total, counted_by_walk(*verdict.reader, outcome));
        verdict.uncounted = verdict.reader->unit_records.empty() ? 0 : walked.uncounted;
        verdict.is_unread = !walked.has_walked;
    }
    visitor.report_sums();
    return has_records && !walked.hit_limit;
}

// Asks the model. Nothing if the source cannot be read again.
Followed ReaderCheck::follow_one(ReaderView& view, Outcome& outcome, Source& source, bool& was_interrupted) {
    ReaderVerdict& verdict = view.verdict;
    verdict.is_unread |= !source.seek(0);
    if (verdict.is_unread) return NoOpinion();
    OpenedInput input(source, budget_);
    Window window(input.trace(), &outcome.context.work, &budget_);
    const ReaderFile file = facts_of(outcome);
    FollowContext context(file, window, budget_, outcome.context.work, is_interrupted_);
    const Followed answer = tracelint::follow(*verdict.reader, context);
    was_interrupted = context.was_interrupted();
    return answer;
}

// Where the reader ends, the format's own finding says so, if there is one.
void ReaderCheck::report_forecast(ReaderView& view, const Outcome& outcome) {
    Forecast& forecast = *view.verdict.forecast;
    if (forecast.rule == nullptr) return;
    for (const Report* part : {&outcome.report(), static_cast<const Report*>(&view.own)})
        for (const Diagnostic& finding : part->diagnostics()) {
            const uint64_t offset = finding.place.offset, length = std::max<uint64_t>(forecast.length, 1);
            if (offset < forecast.offset || offset - forecast.offset >= length || finding.rule->of_container) continue;
            if (view.table.outcome_of(*finding.rule, traits_of(finding, outcome)) != forecast.outcome) continue;
            forecast.rule = finding.rule;
            forecast.offset = offset;
            return;
        }
    const uint64_t left = outcome.size ? *outcome.size - std::min(forecast.offset, *outcome.size) : forecast.length;
    view.own.add({.rule = forecast.rule,
                  .place = {.offset = forecast.offset, .length = std::min(forecast.length, left)},
                  .text = forecast.reason});
}

// False: reading failed, or the caller has stopped waiting.
bool ReaderCheck::follow_readers(Outcome& outcome, Source& source) {
    for (const auto& view : views_) {
        ReaderVerdict& verdict = view->verdict;
        if (verdict.reader->model == nullptr || verdict.unpredicted) continue;
        bool was_interrupted = false;
        const Followed answer = follow_one(*view, outcome, source, was_interrupted);
        if (!can_continue(outcome, source)) return false;
        if (was_interrupted) {
            outcome.failure = kInterrupted;
            outcome.context.limit_hit = true;
            return false;
        }
        if (const auto* forecast = std::get_if<Forecast>(&answer)) {
            verdict.forecast = *forecast;
            report_forecast(*view, outcome);
        }
        if (const auto* why = std::get_if<Unpredicted>(&answer)) verdict.unpredicted = *why;
    }
    return true;
}

namespace {

// The findings of the check and the reader's own, by their offsets.
std::vector<const Diagnostic*> findings_for(const ReaderView& view, const Report& report) {
    const auto order = [](const Diagnostic& one) {
        return std::tuple(one.place.offset, !one.rule->of_input, one.rule->id);
    };
    const std::vector<Diagnostic>& own = view.own.diagnostics();
    const std::vector<Diagnostic>& all = report.diagnostics();
    std::vector<const Diagnostic*> findings;
    findings.reserve(all.size() + own.size());
    auto next = own.begin();
    for (const Diagnostic& finding : all) {
        for (; next != own.end() && order(*next) < order(finding); ++next) findings.push_back(&*next);
        findings.push_back(&finding);
    }
    for (; next != own.end(); ++next) findings.push_back(&*next);
    return findings;
}

}  // namespace

void ReaderCheck::sum_up(ReaderView& view, const Outcome& outcome) {
    ReaderVerdict& verdict = view.verdict;
    if (verdict.unpredicted) return verdict.forget(Unpredicted(*verdict.unpredicted));
    std::map<std::string_view, uint64_t> not_kept = outcome.report().not_kept();
    not_kept.merge(view.own.not_kept());
    std::set<const Rule*> seen, misread;
    std::string_view misreading;
    for (const Diagnostic* finding : findings_for(view, outcome.report())) {
        if (view.table.is_predicted(*finding->rule)) continue;
        uint64_t count = 1;
        // Those that are not kept are counted with the first one of their rule.
        if (seen.insert(finding->rule).second)
            if (const auto more = not_kept.find(finding->rule->id); more != not_kept.end()) count += more->second;
        const FindingTraits traits = traits_of(*finding, outcome);
        const ReaderOutcome done = view.table.outcome_of(*finding->rule, traits);
        add_finding(verdict, *finding, done, count);
        if (done != ReaderOutcome::misreads) continue;
        // What is right beside one fault may be wrong beside two.
        misread.insert(finding->rule);
        misreading = misread.size() == 1 ? view.table.misreading_of(*finding->rule, traits) : std::string_view();
    }
    if (verdict.outcome == ReaderOutcome::misreads) verdict.reason = misreading;
    if (verdict.forecast) apply_forecast(verdict);
    // What a reader's own rule says is the reason, unless it speaks of the file at hand.
    const bool is_own = verdict.rule != nullptr && verdict.rule->id.starts_with("reader/");
    if (is_own && verdict.reason.empty() && verdict.rule->message.text.find('{') == std::string_view::npos)
        verdict.reason = verdict.rule->message.text;
    // A report is evidence for the one file that the reader failed on, and not for others.
    const bool is_unknown =
        verdict.untried + verdict.untried_warnings != 0 || verdict.reader->evidence == "by a report";
    if (verdict.outcome == ReaderOutcome::loads && is_unknown) verdict.outcome = ReaderOutcome::untried;
    if (verdict.is_unread && !severity_of(verdict.outcome)) verdict.outcome = ReaderOutcome::untried;
}

// What the verdicts say is of several readings of the file: they must have been of the same bytes.
void ReaderCheck::doubt(Outcome& outcome, const Source& source) {
    Report& report = outcome.context.report;
    if (source.has_changed() && report.count(kInputChanged) == 0) report.add(kInputChanged, {}, {});
    for (const auto& view : views_) {
        ReaderVerdict& verdict = view->verdict;
        if (report.count(kInputChanged) != 0) verdict.forget(Unpredicted::changed);
        if (view->is_older || !verdict.unpredicted || !is_limit(*verdict.unpredicted)) continue;
        outcome.context.limit_hit = true;
        if (*verdict.unpredicted == Unpredicted::limit && names_limit(report)) continue;
        Diagnostic finding;
        finding.rule = &kModelLimit;
        finding.text = verdict.reader->name;
        report.add(finding);
    }
}

// The file is of no format that the readers know, if of any.
void ReaderCheck::refuse(const Rule& why) {
    views_.push_back(std::make_unique<ReaderView>(*readers_.front(), all_findings().report));
    ReaderVerdict& verdict = views_.back()->verdict;
    verdict.outcome = ReaderOutcome::refuses;
    verdict.rule = &why;
    verdict.offset = 0;
    verdict.places = 1;
}

// The file is of no known format, or a limit left it unknown.
void ReaderCheck::refuse_unknown(Outcome& outcome) {
    refuse(outcome.report().count(kEmptyInput) != 0 ? kEmptyInput : kUnknownFormat);
    if (!outcome.context.limit_hit) return;
    views_.front()->verdict.unpredicted = Unpredicted::limit;
    sum_up(*views_.front(), outcome);
}

void ReaderCheck::add_view(const TraceReader& reader, bool is_older) {
    views_.push_back(std::make_unique<ReaderView>(reader, all_findings().report));
    views_.back()->own.charge_to(budget_);
    views_.back()->is_older = is_older;
}

// A view for each reader of the format. False: there is nothing to look at.
bool ReaderCheck::start(Outcome& outcome) {
    if (outcome.format == nullptr) {
        refuse_unknown(outcome);
        return false;
    }
    for (const TraceReader* reader : readers_)
        if (reader->format == outcome.format) add_view(*reader, false);
    for (const TraceReader* reader : older_)
        if (reader->format == outcome.format && std::ranges::find(readers_, reader) == readers_.end())
            add_view(*reader, true);
    if (!views_.empty()) return true;
    refuse(kOtherFormat);
    Diagnostic finding;
    finding.rule = &kOtherFormat;
    finding.text = readers_.front()->name;
    views_.front()->own.add(finding);
    return false;
}

// False: reading failed, or the caller has stopped waiting.
bool ReaderCheck::look_at(Outcome& outcome, Source& source) {
    const bool is_complete = find_hazards(outcome, source) && !outcome.context.limit_hit;
    for (const auto& view : views_)
        if (!is_complete) view->verdict.unpredicted = Unpredicted::limit;
    if (!can_continue(outcome, source) || !follow_readers(outcome, source)) return false;
    const size_t kept = all_findings().report.kept_per_rule;
    for (const auto& view : views_) {
        const bool is_short = view->own.finish();
        const bool lacks = is_short || lacks_findings(outcome.report(), kept);
        if (lacks && !view->verdict.unpredicted) view->verdict.unpredicted = Unpredicted::limit;
        sum_up(*view, outcome);
    }
    return count_lost(outcome, source);
}

void ReaderView::index() {
    for (const Diagnostic& finding : own.diagnostics())
        found_.emplace(finding.rule, finding.place.offset, finding.place.length);
}

// Adds the readers' own findings to those of the check, each once.
void ReaderCheck::gather(Outcome& outcome) {
    Report& report = outcome.context.report;
    std::map<const Rule*, uint64_t> not_kept;  // the most that a reader has
    for (auto view = views_.begin(); view != views_.end(); ++view) {
        if ((*view)->is_older) continue;
        (*view)->index();
        for (const Diagnostic& finding : (*view)->own.diagnostics()) {
            const auto has = [&](const auto& earlier) { return earlier->has_found(finding); };
            if (std::none_of(views_.begin(), view, has)) report.add(finding);
        }
        const std::map<std::string_view, uint64_t> more = (*view)->own.not_kept();
        for (const Rule* rule : (*view)->own.found_rules())
            if (const auto count = more.find(rule->id); count != more.end())
                not_kept[rule] = std::max(not_kept[rule], count->second);
    }
    for (const auto& [rule, count] : not_kept) report.add_not_kept(*rule, false, count);
}

// What the reader does because of the finding, and no more than what it does with the file: it does not come to a fault
// behind the one that ends its reading. The finding's own severity if it has not been tried.
std::optional<Severity> ReaderCheck::severity_by(ReaderView& view, const Diagnostic& finding,
                                                 const FindingTraits& traits) {
    const ReaderVerdict& verdict = view.verdict;
    if (finding.rule->id.starts_with("reader/") && !view.has_found(finding)) return std::nullopt;
    const bool is_limited = verdict.unpredicted && is_limit(*verdict.unpredicted);
    // Within limits, no more than with any other verdict.
    const ReaderOutcome does =
        is_limited ? view.table.mildest_of(*finding.rule) : view.table.outcome_of(*finding.rule, traits);
    if (does == ReaderOutcome::untried) {
        // Whatever a reader that is followed makes of it, it does not end there.
        const bool may_be_followed = verdict.forecast || (is_limited && verdict.reader->model != nullptr);
        return may_be_followed ? std::nullopt : std::optional(severity_of(finding));
    }
    if (is_limited) return severity_of(std::min(does, ReaderOutcome::misreads));
    return severity_of(verdict.unpredicted ? does : std::min(does, verdict.outcome));
}

// The worst of the readers'; its own without a verdict about the records of the file.
std::optional<Severity> ReaderCheck::severity_for_readers(const Diagnostic& finding, const Outcome& outcome) {
    if (views_.empty() || outcome.format == nullptr || is_tracking_limit(*finding.rule)) return severity_of(finding);
    std::optional<Severity> worst;
    const FindingTraits traits = traits_of(finding, outcome);
    for (const auto& view : views_)
        if (!view->is_older) worst = std::max(worst, severity_by(*view, finding, traits));
    return worst;
}

// By the user's choice, if there is one.
std::optional<Severity> ReaderCheck::severity_of_finding(const Diagnostic& finding, const Outcome& outcome) {
    const ReportOptions& listed = options_.report;
    if (listed.filter != nullptr && !listed.filter->admits(*finding.rule)) return std::nullopt;
    const auto* choice = listed.severities == nullptr ? nullptr : listed.severities->of(*finding.rule);
    return choice == nullptr ? severity_for_readers(finding, outcome) : choice->severity;
}

void ReaderCheck::report_verdicts() {
    for (const auto& view : views_)
        if (!view->is_older) verdicts_.push_back(view->verdict);
    for (const auto& view : views_) {
        const auto is_newer = [&](const ReaderVerdict& one) { return one.reader->name == view->verdict.reader->name; };
        const auto newest = std::ranges::find_if(verdicts_.rbegin(), verdicts_.rend(), is_newer);
        if (view->is_older && newest != verdicts_.rend()) newest->older.push_back(view->verdict);
    }
}

void ReaderCheck::judge(Outcome& outcome, Source& source) {
    Report& report = outcome.context.report;
    if (outcome.failure.empty()) {
        const bool is_read = start(outcome), is_well = !is_read || look_at(outcome, source);
        for (const auto& view : views_) view->own.finish();
        if (!is_well) views_.clear();
        report.reopen(all_findings().report);
        report.charge_to(budget_);
        gather(outcome);
        if (is_read && is_well) doubt(outcome, source);
        report.finish();
        report_verdicts();
    }
    report.grade([&](const Diagnostic& finding) { return severity_of_finding(finding, outcome); },
                 options_.report.kept_per_rule);
}

}  // namespace tracelint
