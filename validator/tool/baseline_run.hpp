// A baseline during a run: which findings are known, and how the baseline differs from what was found.
#pragma once

#include <unordered_map>

#include "validator/tool/glob.hpp"
#include "validator/tool/known_findings.hpp"
#include "validator/tool/status.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {

struct CommandLine;

// Findings that the baseline does not allow for.
struct NewFindings {
    std::string path;  // the pattern that matches the file
    const Rule* rule = nullptr;
    uint64_t found = 0;
    const BaselineEntry* entry = nullptr;  // that allows for fewer, or is expired; null: there is none
};

// Of several entries for the same file and rule the last one counts that is not expired.
class BaselineRun {
  public:
    // `collects`: remember new findings, from this severity on where no entry is for them.
    BaselineRun(Baseline baseline, std::chrono::sys_days today, std::optional<Severity> collects);
    BaselineRun(const BaselineRun&) = delete;
    BaselineRun& operator=(const BaselineRun&) = delete;

    // What the baseline says of a file. Valid as long as the run. `path`: as messages name it.
    KnownFindings take(const std::string& path, const Outcome& outcome);

    // When all files were taken. `is_complete`: whether entries without a file are reported.
    BaselineSummary summary(bool is_complete) const;
    const std::vector<NewFindings>& new_findings() const { return new_; }
    bool is_expired(const BaselineEntry& entry) const { return entry.expires && *entry.expires < today_; }
    const Baseline& baseline() const { return baseline_; }
    // The baseline that allows for what was found. `accepts_new`: also where it is more than before; `reason` is that
    // of added entries. An entry stays if it matches no file of this run, unless the one file that it is for is gone.
    // Expired entries stay as they are.
    Baseline updated(bool accepts_new, const std::string& reason) const;

  private:
    // What was seen of the files of an entry.
    struct Met {
        bool has_file = false;
        bool is_unknown = false;  // a file was not checked to its end
        uint64_t most = 0;        // findings in one file
    };

    std::vector<size_t> entries_for(const std::string& path);
    void collect(const std::string& path, const Report& report, const std::map<const Rule*, size_t>& effective,
                 const std::vector<size_t>& applying);
    // As patterns see it: relative to the baseline's folder.
    std::string compared_path(const std::string& path) const;
    bool is_gone(const BaselineEntry& entry) const;

    Baseline baseline_;
    std::chrono::sys_days today_;
    std::optional<Severity> collects_;
    std::string working_folder_;
    std::vector<Met> met_;                                           // by entry
    std::unordered_map<std::string, std::vector<size_t>> literals_;  // entries for one path
    std::vector<std::pair<Glob, size_t>> globs_;                     // other entries
    std::vector<NewFindings> new_;
    uint64_t known_ = 0;
};

// Loads the baseline that the command line names, if it names one. A mistake in it is reported.
ExitStatus open_baseline(const CommandLine& line, std::optional<BaselineRun>& run);

// Reports stale entries on standard error, or prints the differences and updates the file, as the command line says.
// `status` is that of the checks; `is_complete`: all inputs were checked.
ExitStatus close_baseline(const CommandLine& line, const BaselineRun& run, const BaselineSummary& summary,
                          bool is_complete, ExitStatus status);

}  // namespace tracelint
