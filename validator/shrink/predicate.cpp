// Checks of the file and of candidates.
#include "validator/shrink/predicate.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

// Waits for the finding.
class Watch final : public FindingObserver {
  public:
    Watch(const Rule& rule, const FindingPlace& place, std::optional<Severity> severity)
        : rule_(rule), place_(place), severity_(severity) {}

    void found(const Diagnostic& diagnostic) override {
        if (diagnostic.rule != &rule_) return;
        const uint64_t offset = diagnostic.place.offset;
        if (offset < place_.first || offset > place_.last) return;
        const Severity severity = severity_of(diagnostic);
        if (severity_ && severity != *severity_) return;
        if (!finding_ || severity > severity_of(*finding_)) finding_ = diagnostic;
    }
    const std::optional<Diagnostic>& finding() const { return finding_; }

  private:
    const Rule& rule_;
    const FindingPlace place_;
    const std::optional<Severity> severity_;  // empty: the worst one
    std::optional<Diagnostic> finding_;
};

bool is_fault(const Report& report, const Rule& rule) {
    return report.count(rule, Severity::error) + report.count(rule, Severity::warning) != 0;
}

}  // namespace

CheckOptions Predicate::check_options(FindingObserver& observer) const {
    CheckOptions check;
    check.format = options_.format;
    check.settings = options_.settings;
    check.limits = options_.limits;
    check.limits.memory = budget_.left();
    check.report.observer = &observer;
    return check;
}

Predicate::Learnt Predicate::learn(Source& file, std::string& why) {
    ++checks_;
    FindingPlace place;
    if (options_.offset) place = {*options_.offset, *options_.offset};
    Watch watch(*options_.rule, place, std::nullopt);
    CheckOptions check = check_options(watch);
    check.file_name = options_.file_name;
    const Outcome outcome = tracelint::check(file, check);
    format_ = outcome.format;
    container_ = outcome.container;
    had_limit_ = outcome.context.limit_hit;
    why = outcome.failure;
    if (outcome.out_of_memory) return Learnt::limited;
    if (!outcome.failure.empty()) return Learnt::unreadable;
    if (!watch.finding()) {
        why = what_it_has(outcome);
        return Learnt::absent;
    }
    finding_ = *watch.finding();
    if (options_.rule->of_container) {
        why = std::string(options_.rule->id) + " is about the compressed file, not about the trace in it";
        return Learnt::impossible;
    }
    if (format_ == nullptr || options_.rule->of_input) {
        why = std::string(options_.rule->id) + " is about the file as a whole, not about its records";
        return Learnt::impossible;
    }
    for (const Rule* rule : outcome.report().found_rules())
        if (is_fault(outcome.report(), *rule)) broken_.insert(rule);
    return Learnt::found;
}

std::string Predicate::what_it_has(const Outcome& outcome) const {
    const Report& report = outcome.report();
    std::string why = "it has no finding of " + std::string(options_.rule->id);
    if (options_.offset && report.count(*options_.rule) != 0) {
        why += " at " + hex(*options_.offset) + ", but at ";
        size_t shown = 0;
        for (const Diagnostic& diagnostic : report.diagnostics())
            if (diagnostic.rule == options_.rule) why += (shown++ == 0 ? "" : ", ") + hex(diagnostic.place.offset);
        return shown < report.count(*options_.rule) ? why + ", ..." : why;
    }
    if (report.counts().empty()) return why + ", nor of any other rule";
    why += "; it has ";
    size_t shown = 0;
    for (const auto& [id, count] : report.counts())
        why += (shown++ == 0 ? "" : ", ") + std::string(id) + " (" + std::to_string(count) + ")";
    return why;
}

std::optional<KeptFinding> Predicate::holds(Source& candidate, const FindingPlace& place) {
    ++checks_;
    Watch watch(*options_.rule, place, severity_of(finding_));
    CheckOptions check = check_options(watch);
    check.file_name = options_.new_name;
    const Outcome outcome = tracelint::check(candidate, check);
    if (outcome.out_of_memory || !outcome.failure.empty() || !watch.finding()) return std::nullopt;
    if (outcome.format != format_ || outcome.container != Container::none) return std::nullopt;
    if (outcome.context.limit_hit && !had_limit_) return std::nullopt;
    const Report& report = outcome.report();
    for (const Rule* rule : report.found_rules())
        if (is_fault(report, *rule) && !broken_.contains(rule)) return std::nullopt;
    const uint64_t faults = report.count(Severity::error) + report.count(Severity::warning);
    return KeptFinding{*watch.finding(), faults - (severity_of(finding_) == Severity::note ? 0 : 1)};
}

}  // namespace tracelint
