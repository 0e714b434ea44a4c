// Counts and keeps findings, renders their messages and paths.
#include "validator/report/report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "validator/tables/rule.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

std::string_view to_string(Severity severity) noexcept {
    switch (severity) {
        case Severity::note: return "note";
        case Severity::warning: return "warning";
        case Severity::error: return "error";
    }
    return "";
}

std::string field_path(const Place& place) {
    if (place.record == nullptr) return {};
    std::string path;
    const auto join = [&](std::string_view part) {
        if (!path.empty()) path += '.';
        path += part;
    };
    const auto index = [&](uint64_t number) { path += '[' + std::to_string(number) + ']'; };
    if (place.record_index != kNone) {
        join("records");
        index(place.record_index);
    } else if (!place.record->numbered) {
        join(place.record->name);
    }
    if (place.list != nullptr) {
        join(place.list->name);
        index(place.element);
    }
    if (place.field != nullptr) join(place.field->name);
    return path;
}

namespace {

// Renders a placeholder: "0", "0d", "0x" or "0 byte|bytes", without the braces.
std::string rendered(std::string_view placeholder, uint64_t value) {
    const std::string_view words = placeholder.substr(1);
    if (words == "x") return hex(value);
    if (words == "d") return std::to_string(static_cast<int64_t>(value));
    const size_t bar = words.find('|');
    if (bar == std::string_view::npos) return std::to_string(value);
    return std::to_string(value) + ' ' + std::string(value == 1 ? words.substr(1, bar - 1) : words.substr(bar + 1));
}

}  // namespace

namespace {

// Without the user's choice.
Severity own_severity(const Rule& rule, bool is_overridden) {
    return is_overridden ? rule.severity_override->severity : rule.severity;
}

}  // namespace

Severity severity_of(const Diagnostic& diagnostic) {
    return diagnostic.chosen.value_or(own_severity(*diagnostic.rule, diagnostic.is_overridden));
}

std::string_view why_of(const Diagnostic& diagnostic) {
    const Rule& rule = *diagnostic.rule;
    return diagnostic.is_overridden && !rule.severity_override->why.empty() ? rule.severity_override->why : rule.why;
}

std::string message_of(const Diagnostic& diagnostic) {
    const Rule& rule = *diagnostic.rule;
    const bool has_own = diagnostic.is_overridden && !rule.severity_override->message.empty();
    const std::string_view pattern = (has_own ? rule.severity_override->message : rule.message).text;
    std::string text;
    for (size_t i = 0; i < pattern.size(); ++i) {
        const size_t end = pattern[i] == '{' ? pattern.find('}', i) : std::string_view::npos;
        if (end != std::string_view::npos && pattern.substr(i, end - i) == "{text") {
            text += diagnostic.text;
            i = end;
            continue;
        }
        const size_t which =
            end == std::string_view::npos ? diagnostic.numbers.size() : static_cast<size_t>(pattern[i + 1] - '0');
        if (which >= diagnostic.numbers.size()) {
            text += pattern[i];
            continue;
        }
        text += rendered(pattern.substr(i + 1, end - i - 1), diagnostic.numbers[which]);
        i = end;
    }
    return text;
}

std::string help_of(const Diagnostic& diagnostic) {
    std::string help(why_of(diagnostic));
    if (!diagnostic.hint.empty()) {
        if (!help.empty()) help += "; ";
        help += diagnostic.hint;
    }
    return help;
}

namespace {

bool any_covers(const std::vector<std::string>& patterns, const Rule& rule) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& p) { return RuleFilter::covers(p, rule); });
}

}  // namespace

// A whole id covers only that rule. A prefix must end in a slash or dash, or just before a slash.
bool RuleFilter::covers(std::string_view id_or_prefix, const Rule& rule) {
    if (id_or_prefix.empty() || !rule.id.starts_with(id_or_prefix)) return false;
    if (rule.id.size() == id_or_prefix.size()) return true;
    return id_or_prefix.back() == '/' || id_or_prefix.back() == '-' || rule.id[id_or_prefix.size()] == '/';
}

bool RuleFilter::selects(const Rule& rule) const { return selected_.empty() || any_covers(selected_, rule); }
bool RuleFilter::ignores(const Rule& rule) const { return any_covers(ignored_, rule); }

const SeverityChoices::Choice* SeverityChoices::of(const Rule& rule) const {
    const auto last = std::find_if(choices_.rbegin(), choices_.rend(),
                                   [&](const Choice& choice) { return RuleFilter::covers(choice.pattern, rule); });
    return last == choices_.rend() ? nullptr : &*last;
}

namespace {

bool is_about_end(const Rule& rule) { return rule.about_end || rule.depends_on.absence; }
bool is_about_end(const Diagnostic& diagnostic) { return is_about_end(*diagnostic.rule) || diagnostic.about_end; }

Diagnostic diagnostic_of(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
    Diagnostic diagnostic;
    diagnostic.rule = &rule;
    diagnostic.place = place;
    std::copy_n(numbers.begin(), std::min(numbers.size(), diagnostic.numbers.size()), diagnostic.numbers.begin());
    return diagnostic;
}

}  // namespace

void Report::add(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
    if (tally(rule, false, is_about_end(rule))) keep(diagnostic_of(rule, place, numbers));
    if (options_.observer != nullptr) announce(diagnostic_of(rule, place, numbers));
}

void Report::add_overridden(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
    const bool kept = tally(rule, true, is_about_end(rule));
    if (!kept && options_.observer == nullptr) return;
    Diagnostic diagnostic = diagnostic_of(rule, place, numbers);
    diagnostic.is_overridden = true;
    if (kept) keep(diagnostic);
    if (options_.observer != nullptr) announce(diagnostic);
}

void Report::add(const Diagnostic& diagnostic) {
    if (tally(*diagnostic.rule, diagnostic.is_overridden, is_about_end(diagnostic))) keep(diagnostic);
    if (options_.observer != nullptr) announce(diagnostic);
}

void Report::add_not_kept(const Rule& rule, bool is_overridden, uint64_t count) {
    RuleTally& of_rule = tally_of(rule);
    if (!of_rule.admitted || count == 0) return;
    Tally& tally = of_rule.by_override[is_overridden ? 1 : 0];
    tally.found += count;
    has_faults_ |= tally.own != Severity::note;
    by_severity_[static_cast<size_t>(tally.counted_as)] += count;
}

// Call after tally(), which makes room.
void Report::keep(Diagnostic diagnostic) {
    diagnostic.chosen = tally_of(*diagnostic.rule).chosen;
    kept_.push_back(diagnostic);
}

// Call after tally().
void Report::announce(Diagnostic diagnostic) {
    const RuleTally& of_rule = tally_of(*diagnostic.rule);
    if (!of_rule.admitted || is_about_end(diagnostic)) return;
    diagnostic.chosen = of_rule.chosen;
    options_.observer->found(diagnostic);
}

Report::RuleTally& Report::tally_of(const Rule& rule) {
    if (last_rule_ == &rule) return *last_tally_;
    const auto [entry, is_new] = tallies_.try_emplace(&rule);
    if (is_new) {
        const SeverityChoices::Choice* choice =
            options_.severities == nullptr ? nullptr : options_.severities->of(rule);
        entry->second.admitted = options_.filter == nullptr || options_.filter->admits(rule);
        if (choice != nullptr) {
            entry->second.admitted &= choice->severity.has_value();
            entry->second.chosen = choice->severity;
        }
        for (const bool is_overridden : {false, true}) {
            Tally& tally = entry->second.by_override[is_overridden ? 1 : 0];
            tally.own = own_severity(rule, is_overridden && rule.severity_override);
            tally.counted_as = entry->second.chosen.value_or(tally.own);
        }
    }
    last_rule_ = &rule;
    last_tally_ = &entry->second;
    return entry->second;
}

namespace {

// Places that other findings leave, so that what matters most is kept when the memory is spent.
constexpr size_t kPlacesForLimits = 16;
constexpr size_t kPlacesForInput = 16;  // and its container
constexpr size_t kPlacesForLimitsOfInput = 2;
constexpr size_t kSparePlaces = kPlacesForLimits + kPlacesForInput;

// Whether a finding of the rule may take one of the last places, of which so many are left.
constexpr bool may_take_spare(const Rule& rule, size_t left) {
    if (rule.of_input) return left > (is_tracking_limit(rule) ? 0 : kPlacesForLimitsOfInput);
    return is_tracking_limit(rule) && left > kPlacesForInput;
}

}  // namespace

// Counts a finding; true if it is to be kept.
bool Report::tally(const Rule& rule, bool is_overridden, bool about_end) {
    RuleTally& of_rule = tally_of(rule);
    if (!of_rule.admitted) return false;
    Tally& tally = of_rule.by_override[is_overridden ? 1 : 0];
    ++tally.found;
    if (about_end) ++tally.found_about_end;
    has_faults_ |= tally.own != Severity::note;
    ++by_severity_[static_cast<size_t>(tally.counted_as)];
    const bool wanted = options_.kept_per_rule == 0 || tally.kept < options_.kept_per_rule;
    if (!wanted || !has_place(rule)) return false;
    ++tally.kept;
    return true;
}

// Whether one more finding can be kept.
bool Report::has_place(const Rule& rule) {
    if (kept_.size() < kKeptFindings && has_room()) return true;
    return may_take_spare(rule, kept_.capacity() - kept_.size());
}

// Makes room for one more finding. False: the budget does not allow for it.
bool Report::has_room() {
    if (kept_.capacity() - kept_.size() > kSparePlaces) return true;
    const size_t room = std::max(2 * kSparePlaces, 2 * kept_.capacity());
    const uint64_t before = charged_, more = room <= kFreeFindings ? 0 : room * sizeof(Diagnostic);
    if (budget_ != nullptr && more != 0) {
        if (!budget_->take_lasting(more)) return false;
        charged_ += more;
    }
    kept_.reserve(room);
    if (budget_ != nullptr) budget_->give_back_lasting(before);
    charged_ -= before;
    return true;
}

std::optional<Diagnostic> Report::withdraw_findings_about_end() {
    std::optional<Diagnostic> first;
    for (auto& [rule, of_rule] : tallies_)
        for (Tally& tally : of_rule.by_override) {
            if (tally.found_about_end == 0) continue;
            const uint64_t withdrawn = std::exchange(tally.found_about_end, 0);
            tally.found -= withdrawn;
            by_severity_[static_cast<size_t>(tally.counted_as)] -= withdrawn;
        }
    std::erase_if(kept_, [&](const Diagnostic& kept) {
        if (!is_about_end(kept)) return false;
        if (!first || kept.place.offset < first->place.offset) first = kept;
        --tallies_.at(kept.rule).by_override[kept.is_overridden ? 1 : 0].kept;
        return true;
    });
    return first;
}

void Report::attribute_to(std::string_view cause) {
    for (Diagnostic& kept : kept_)
        if (!kept.rule->of_input) kept.hint = cause;
}

constexpr Rule kInputTrackingLimit{
    .id = "input/tracking-limit",
    .severity = Severity::note,
    .statement = "the findings of a file fit into the memory limit of this run",
    .message = "the limit of {0 byte|bytes} is reached: all findings are counted, but some of them are not listed",
    .why = "not a fault of the file; --max-memory raises the limit, and --max-per-rule asks for fewer findings",
    .spec = "tracelint",
    .since = "0.2.0",
    .of_input = true,
};

// Whether the budget did not allow for all findings that are to be kept.
bool Report::lacks_findings() const {
    if (budget_ == nullptr || kept_.size() >= kKeptFindings) return false;
    const uint64_t most = options_.kept_per_rule == 0 ? kNone : options_.kept_per_rule;
    return std::ranges::any_of(tallies_, [&](const auto& tally_of_rule) {
        return std::ranges::any_of(tally_of_rule.second.by_override,
                                   [&](const Tally& tally) { return tally.kept < std::min(tally.found, most); });
    });
}

// Says that findings are missing. Without memory for that, the check has failed for want of it.
void Report::note_limit() {
    try {
        add<kInputTrackingLimit>({}, {budget_->all()});
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the failure of the check says it
    }
}

bool Report::finish() {
    const bool is_short = lacks_findings();
    if (is_short) note_limit();
    std::sort(kept_.begin(), kept_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        if (a.place.offset != b.place.offset) return a.place.offset < b.place.offset;
        return std::tie(b.rule->of_input, a.rule->id, a.place.length, a.numbers) <
               std::tie(a.rule->of_input, b.rule->id, b.place.length, b.numbers);
    });
    if (options_.observer != nullptr)
        for (const Diagnostic& kept : kept_)
            if (is_about_end(kept)) options_.observer->found(kept);
    if (budget_ != nullptr) budget_->give_back_lasting(charged_);
    charged_ = 0;
    budget_ = nullptr;
    options_.severities = nullptr;
    options_.observer = nullptr;
    return is_short;
}

void Report::grade(const Grading& severity, size_t kept_per_rule) {
    by_severity_ = {};
    std::map<std::pair<const Rule*, bool>, std::optional<Severity>> first;  // what those that are not kept go by
    for (Diagnostic& kept : kept_) {
        kept.chosen = severity(kept);
        first.try_emplace({kept.rule, kept.is_overridden}, kept.chosen);
    }
    for (auto& [rule, of_rule] : tallies_)
        for (const bool is_overridden : {false, true}) {
            Tally& tally = of_rule.by_override[is_overridden ? 1 : 0];
            if (tally.found == 0) continue;
            Diagnostic bare;
            bare.rule = rule;
            bare.is_overridden = is_overridden;
            const auto known = first.find({rule, is_overridden});
            const uint64_t not_kept = tally.found - tally.kept;
            const std::optional<Severity> of_others = known == first.end() ? severity(bare) : known->second;
            tally.graded.emplace();
            if (of_others) (*tally.graded)[static_cast<size_t>(*of_others)] = not_kept;
            tally.found = of_others ? not_kept : 0;
            tally.kept = 0;
        }
    std::erase_if(kept_, [&](const Diagnostic& kept) {
        if (!kept.chosen) return true;
        Tally& tally = tallies_.at(kept.rule).by_override[kept.is_overridden ? 1 : 0];
        ++tally.found;
        ++(*tally.graded)[static_cast<size_t>(*kept.chosen)];
        if (kept_per_rule != 0 && tally.kept == kept_per_rule) return true;
        ++tally.kept;
        return false;
    });
    for (const auto& [rule, of_rule] : tallies_)
        for (const Tally& tally : of_rule.by_override)
            for (size_t i = 0; tally.graded && i < by_severity_.size(); ++i) by_severity_[i] += (*tally.graded)[i];
}

std::map<std::string_view, uint64_t> Report::counts() const {
    std::map<std::string_view, uint64_t> counts;
    for (const auto& [rule, tally] : tallies_)
        if (tally.found() > 0) counts[rule->id] = tally.found();
    return counts;
}

std::vector<const Rule*> Report::found_rules() const {
    std::vector<const Rule*> rules;
    for (const auto& [rule, tally] : tallies_)
        if (tally.found() > 0) rules.push_back(rule);
    std::ranges::sort(rules, {}, &Rule::id);
    return rules;
}

std::map<std::string_view, uint64_t> Report::not_kept() const {
    std::map<std::string_view, uint64_t> counts;
    for (const auto& [rule, tally] : tallies_)
        if (tally.found() > tally.kept()) counts[rule->id] = tally.found() - tally.kept();
    return counts;
}

std::optional<Severity> Report::worst() const {
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        if (count(severity) != 0) return severity;
    return std::nullopt;
}

uint64_t Report::count(const Rule& rule) const {
    const auto found = tallies_.find(&rule);
    return found == tallies_.end() ? 0 : found->second.found();
}

uint64_t Report::count(const Rule& rule, Severity severity) const {
    const auto found = tallies_.find(&rule);
    if (found == tallies_.end()) return 0;
    uint64_t count = 0;
    for (const Tally& tally : found->second.by_override) {
        if (tally.graded)
            count += (*tally.graded)[static_cast<size_t>(severity)];
        else if (tally.counted_as == severity)
            count += tally.found;
    }
    return count;
}

}  // namespace tracelint
