// A baseline during a run: which findings are known, and how the baseline differs from what was found.
#pragma once

#include <functional>
#include <unordered_map>

#include "validator/tool/inputs/baseline.hpp"
#include "validator/tool/inputs/path_pattern.hpp"
#include "validator/tool/run/status.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

struct CheckLine;

// Findings that the baseline does not allow for.
struct NewFindings {
    std::string path;  // the pattern that matches the file
    const Rule* rule = nullptr;
    uint64_t found = 0;
    const BaselineEntry* entry = nullptr;  // that allows for fewer, or is expired; null if absent
};

// What a run is about.
struct BaselineScope {
    // New findings are remembered, from this severity on where no entry is for them; empty: none are.
    std::optional<Severity> collects{};
    // Whether the run looks for violations of a rule in a file; empty: it looks for all. `path`: as messages name it.
    std::function<bool(const std::string& path, const Rule& rule)> looks_for{};
    std::vector<std::string> searched{};  // folders of which no file was left out, as the user named them
    bool has_all_files = false;           // the user says that there are no others
};

// Compares findings with a baseline. If several entries match a file and rule, the last unexpired one applies.
class BaselineRun {
  public:
    BaselineRun(Baseline baseline, std::chrono::sys_days today, BaselineScope scope);
    BaselineRun(const BaselineRun&) = delete;
    BaselineRun& operator=(const BaselineRun&) = delete;

    // What the baseline says of a file. Valid as long as the run. `path`: as messages name it.
    KnownFindings take(const std::string& path, const Outcome& outcome);

    // When all files were taken. `is_complete`: whether entries without a file are reported.
    BaselineSummary summary(bool is_complete) const;
    const std::vector<NewFindings>& new_findings() const { return new_; }
    bool is_expired(const BaselineEntry& entry) const { return entry.expires && *entry.expires < today_; }
    const Baseline& baseline() const { return baseline_; }
    // Whether files that are not of this run may need the entry.
    bool may_be_for_others(const BaselineEntry& entry) const;
    // The baseline that allows the findings of this run. `accepts_new`: also more of them than before, with `reason` in
    // the added entries. An entry stays as it is if it is expired, if this run did not check its rule, if it may be for
    // files outside this run, or if it matches no file; an entry for a single file that is gone is removed.
    Baseline updated(bool accepts_new, const std::string& reason) const;

  private:
    // What was seen of the files of an entry.
    struct Seen {
        bool has_file = false;
        bool is_unknown = false;  // a file was not checked to its end, or not by the rule
        uint64_t most = 0;        // findings in one file
    };

    std::vector<size_t> entries_for(const ComparedPath& path) const;
    void collect(const std::string& path, const Report& report, const std::map<const Rule*, size_t>& effective,
                 const std::vector<size_t>& applying);
    // As an entry names it: relative to the baseline's folder.
    std::string entry_path(const std::string& path) const;
    bool is_deleted(const BaselineEntry& entry) const;

    Baseline baseline_;
    std::chrono::sys_days today_;
    BaselineScope scope_;
    std::string working_folder_;
    PathBase base_;
    std::vector<Seen> seen_;                                         // by entry
    std::vector<PathPattern> patterns_;                              // the same
    std::unordered_map<std::string, std::vector<size_t>> literals_;  // entries for one file or folder
    std::vector<size_t> globs_;                                      // other entries
    std::vector<NewFindings> new_;
    uint64_t known_ = 0;
};

// Loads the baseline that the command line names, if it names one. A mistake in it is reported.
// `searched`: the folders of which no file was left out.
ExitStatus open_baseline(const CheckLine& line, std::vector<std::string> searched, std::optional<BaselineRun>& run);

// Reports stale entries on standard error, or prints the differences and updates the file, as the command line says.
// `status` is that of the checks; `is_complete`: all inputs were checked.
ExitStatus close_baseline(const CheckLine& line, const BaselineRun& run, const BaselineSummary& summary,
                          bool is_complete, ExitStatus status);

}  // namespace tracelint
