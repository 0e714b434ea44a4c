// Compares the findings of a run with a baseline.
#include "validator/tool/run/baseline_run.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "validator/tool/options/configuration.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

uint64_t count_from(const Report& report, const Rule& rule, Severity least) {
    uint64_t count = 0;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
        if (severity >= least) count += report.count(rule, severity);
    return count;
}

}  // namespace

BaselineRun::BaselineRun(Baseline baseline, std::chrono::sys_days today, BaselineScope scope)
    : baseline_(std::move(baseline)),
      today_(today),
      scope_(std::move(scope)),
      working_folder_(working_folder()),
      base_(baseline_.folder),
      seen_(baseline_.entries.size()) {
    for (size_t i = 0; i < baseline_.entries.size(); ++i) {
        patterns_.emplace_back(baseline_.entries[i].path, baseline_.folder, PathPattern::Bare::paths);
        if (const std::optional<std::string> literal = Glob::literal_of(patterns_[i].glob().pattern()))
            literals_[*literal].push_back(i);
        else
            globs_.push_back(i);
    }
}

std::string BaselineRun::entry_path(const std::string& path) const {
    if (path == "-") return path;
    const fs::path whole = (fs::path(working_folder_) / path).lexically_normal();
    return whole.lexically_relative(baseline_.folder).string();
}

// In the order of the baseline.
std::vector<size_t> BaselineRun::entries_for(const ComparedPath& path) const {
    std::vector<size_t> entries;
    const auto add_literals = [&](const std::string& file_or_folder) {
        const auto found = literals_.find(file_or_folder);
        if (found != literals_.end()) entries.insert(entries.end(), found->second.begin(), found->second.end());
    };
    const auto add_all = [&](const std::string& text) {
        for (size_t slash = text.find('/', 1); slash < text.size(); slash = text.find('/', slash + 1))
            add_literals(text.substr(0, slash));
        add_literals(text);
    };
    add_all(path.text);
    if (path.whole != path.text) add_all(path.whole);
    for (const size_t i : globs_)
        if (patterns_[i].matches(path)) entries.push_back(i);
    std::ranges::sort(entries);
    return entries;
}

KnownFindings BaselineRun::take(const std::string& path, const Outcome& outcome) {
    const Report& report = outcome.report();
    const std::vector<size_t> applying = entries_for(base_.compared(path));
    std::map<const Rule*, size_t> effective;
    for (const size_t i : applying) {
        const BaselineEntry& entry = baseline_.entries[i];
        seen_[i].has_file = true;
        seen_[i].is_unknown |= !outcome.failure.empty() || outcome.context.limit_hit ||
                               (scope_.looks_for && !scope_.looks_for(path, *entry.rule));
        if (is_expired(entry))
            seen_[i].most = std::max(seen_[i].most, report.count(*entry.rule));
        else
            effective[entry.rule] = i;
    }
    KnownFindings known;
    for (const auto& [rule, i] : effective) {
        const BaselineEntry& entry = baseline_.entries[i];
        const uint64_t found = report.count(*rule);
        seen_[i].most = std::max(seen_[i].most, found);
        if (found > entry.count)
            known.surplus[rule->id] = {found, entry.count};
        else if (found != 0)
            known.known[rule->id] = &entry;
    }
    known_ += known.count(report);
    if (scope_.collects) collect(entry_path(path), report, effective, applying);
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
            if (found > allowing.count) new_.push_back({Glob::escaped(path), rule, found, &allowing});
            continue;
        }
        if (count_from(report, *rule, *scope_.collects) == 0) continue;
        const auto expired =
            std::ranges::find_if(applying, [&, of = rule](size_t i) { return baseline_.entries[i].rule == of; });
        new_.push_back(
            {Glob::escaped(path), rule, found, expired == applying.end() ? nullptr : &baseline_.entries[*expired]});
    }
}

BaselineSummary BaselineRun::summary(bool is_complete) const {
    BaselineSummary summary{baseline_.name, known_, {}};
    for (size_t i = 0; i < seen_.size(); ++i) {
        const BaselineEntry& entry = baseline_.entries[i];
        const Seen& seen = seen_[i];
        if (is_expired(entry))
            summary.stale.push_back({&entry, StaleEntry::Why::expired, seen.most});
        else if (!seen.has_file && is_complete)
            summary.stale.push_back({&entry, StaleEntry::Why::no_file, 0});
        else if (seen.has_file && !seen.is_unknown && seen.most < entry.count)
            summary.stale.push_back({&entry, StaleEntry::Why::fewer, seen.most});
    }
    return summary;
}

// Whether the one file that an entry is for does not exist any more.
bool BaselineRun::is_deleted(const BaselineEntry& entry) const {
    const std::optional<std::string> path = Glob::literal_of(entry.path);
    std::error_code failed;
    return path && *path != "-" && !fs::exists(fs::path(baseline_.folder) / *path, failed) && !failed;
}

// A pattern or a folder may match files that were not named. Below a folder that was searched, all files are known.
bool BaselineRun::may_be_for_others(const BaselineEntry& entry) const {
    if (scope_.has_all_files) return false;
    const PathPattern& pattern = patterns_[static_cast<size_t>(&entry - baseline_.entries.data())];
    const fs::path common = (fs::path(baseline_.folder) / pattern.common_folder()).lexically_normal();
    if (Glob::literal_of(pattern.glob().pattern()) && !is_folder(common)) return false;
    return std::ranges::none_of(scope_.searched, [&](const std::string& folder) {
        std::string above = (fs::path(working_folder_) / folder).lexically_normal().string();
        if (!above.ends_with('/')) above += '/';
        return (common.string() + '/').starts_with(above);
    });
}

Baseline BaselineRun::updated(bool accepts_new, const std::string& reason) const {
    Baseline changed = baseline_;
    changed.entries.clear();
    for (size_t i = 0; i < seen_.size(); ++i) {
        BaselineEntry entry = baseline_.entries[i];
        const Seen& seen = seen_[i];
        if (!is_expired(entry)) {
            if (!seen.has_file && is_deleted(entry)) continue;
            const bool may_shrink = seen.has_file && !seen.is_unknown && !may_be_for_others(baseline_.entries[i]);
            if (may_shrink && seen.most == 0) continue;
            if ((may_shrink && seen.most < entry.count) || (accepts_new && seen.most > entry.count))
                entry.count = seen.most;
        }
        changed.entries.push_back(std::move(entry));
    }
    if (accepts_new)
        for (const NewFindings& more : new_)
            if (more.entry == nullptr) changed.entries.push_back({more.path, more.rule, more.found, reason});
    return changed;
}

}  // namespace tracelint
