// Compares the findings of a run with a baseline.
#include "validator/tool/baseline_run.hpp"

#include <algorithm>
#include <filesystem>

#include "validator/text_scan.hpp"
#include "validator/tool/configuration.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

// A pattern of a folder that is the baseline's own may begin with "./".
std::string_view without_dot(std::string_view path) { return path.starts_with("./") ? path.substr(2) : path; }

// The pattern for one path. What is no UTF-8 cannot be written down in JSON.
std::string pattern_of(const std::string& path) {
    std::string pattern = Glob::escaped(path);
    if (scan_text(as_bytes(pattern)).ill_formed != kNone)
        std::ranges::replace_if(pattern, [](char c) { return static_cast<uint8_t>(c) >= 0x80; }, '?');
    return pattern;
}

uint64_t count_from(const Report& report, const Rule& rule, Severity least) {
    uint64_t count = 0;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
        if (severity >= least) count += report.count(rule, severity);
    return count;
}

}  // namespace

std::string_view to_string(StaleEntry::Why why) {
    switch (why) {
        case StaleEntry::Why::fewer: return "fewer";
        case StaleEntry::Why::no_file: return "no file";
        case StaleEntry::Why::expired: return "expired";
    }
    return "";
}

BaselineRun::BaselineRun(Baseline baseline, std::chrono::sys_days today, std::optional<Severity> collects)
    : baseline_(std::move(baseline)),
      today_(today),
      collects_(collects),
      working_folder_(working_folder()),
      met_(baseline_.entries.size()) {
    for (size_t i = 0; i < baseline_.entries.size(); ++i) {
        const std::string_view pattern = without_dot(baseline_.entries[i].path);
        if (const std::optional<std::string> literal = Glob::literal_of(pattern))
            literals_[*literal].push_back(i);
        else
            globs_.emplace_back(Glob(pattern), i);
    }
}

std::string BaselineRun::compared_path(const std::string& path) const {
    if (path == "-") return path;
    const fs::path whole = (fs::path(working_folder_) / path).lexically_normal();
    return whole.lexically_relative(baseline_.folder).string();
}

// In their order.
std::vector<size_t> BaselineRun::entries_for(const std::string& path) {
    std::vector<size_t> entries;
    if (const auto found = literals_.find(path); found != literals_.end()) entries = found->second;
    for (const auto& [glob, entry] : globs_)
        if (glob.matches(path)) entries.push_back(entry);
    std::ranges::sort(entries);
    return entries;
}

KnownFindings BaselineRun::take(const std::string& path, const Outcome& outcome) {
    const Report& report = outcome.report();
    const std::string compared = compared_path(path);
    const std::vector<size_t> applying = entries_for(compared);
    std::map<const Rule*, size_t> effective;
    for (const size_t i : applying) {
        const BaselineEntry& entry = baseline_.entries[i];
        met_[i].has_file = true;
        met_[i].is_unknown |= !outcome.failure.empty() || outcome.context.limit_hit;
        if (is_expired(entry))
            met_[i].most = std::max(met_[i].most, report.count(*entry.rule));
        else
            effective[entry.rule] = i;
    }
    KnownFindings known;
    for (const auto& [rule, i] : effective) {
        const BaselineEntry& entry = baseline_.entries[i];
        const uint64_t found = report.count(*rule);
        met_[i].most = std::max(met_[i].most, found);
        if (found > entry.count)
            known.surplus[rule->id] = {found, entry.count};
        else if (found != 0)
            known.known[rule->id] = &entry;
    }
    known_ += known.count(report);
    if (collects_) collect(compared, report, effective, applying);
    return known;
}

void BaselineRun::collect(const std::string& path, const Report& report, const std::map<const Rule*, size_t>& effective,
                          const std::vector<size_t>& applying) {
    for (const auto& [id, found] : report.counts()) {
        const Rule* rule = find_rule(id);
        if (rule == nullptr) continue;
        const auto entry = effective.find(rule);
        if (entry != effective.end()) {
            const BaselineEntry& allowing = baseline_.entries[entry->second];
            if (found > allowing.count) new_.push_back({pattern_of(path), rule, found, &allowing});
            continue;
        }
        if (count_from(report, *rule, *collects_) == 0) continue;
        const auto expired =
            std::ranges::find_if(applying, [&, of = rule](size_t i) { return baseline_.entries[i].rule == of; });
        new_.push_back(
            {pattern_of(path), rule, found, expired == applying.end() ? nullptr : &baseline_.entries[*expired]});
    }
}

BaselineSummary BaselineRun::summary(bool is_complete) const {
    BaselineSummary summary{baseline_.name, known_, {}};
    for (size_t i = 0; i < met_.size(); ++i) {
        const BaselineEntry& entry = baseline_.entries[i];
        const Met& met = met_[i];
        if (is_expired(entry))
            summary.stale.push_back({&entry, StaleEntry::Why::expired, met.most});
        else if (!met.has_file && is_complete)
            summary.stale.push_back({&entry, StaleEntry::Why::no_file, 0});
        else if (met.has_file && !met.is_unknown && met.most < entry.count)
            summary.stale.push_back({&entry, StaleEntry::Why::fewer, met.most});
    }
    return summary;
}

// Whether the one file that an entry is for does not exist any more.
bool BaselineRun::is_gone(const BaselineEntry& entry) const {
    const std::optional<std::string> path = Glob::literal_of(without_dot(entry.path));
    std::error_code failed;
    return path && *path != "-" && !fs::exists(fs::path(baseline_.folder) / *path, failed) && !failed;
}

Baseline BaselineRun::updated(bool accepts_new, const std::string& reason) const {
    Baseline changed = baseline_;
    changed.entries.clear();
    for (size_t i = 0; i < met_.size(); ++i) {
        BaselineEntry entry = baseline_.entries[i];
        const Met& met = met_[i];
        const bool stays = is_expired(entry) || met.is_unknown;
        if (!stays && !met.has_file && is_gone(entry)) continue;
        if (!stays && met.has_file) {
            if (met.most == 0) continue;
            if (met.most < entry.count || accepts_new) entry.count = met.most;
        }
        changed.entries.push_back(std::move(entry));
    }
    if (accepts_new)
        for (const NewFindings& more : new_)
            if (more.entry == nullptr) changed.entries.push_back({more.path, more.rule, more.found, reason});
    return changed;
}

}  // namespace tracelint
