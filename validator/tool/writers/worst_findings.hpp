// The most severe findings of all files, for outputs that cannot list them all.
#pragma once

#include <array>
#include <deque>
#include <memory>

#include "validator/tool/writers/writer.hpp"

namespace tracelint {

// What is kept of a file.
struct ReportedFile {
    std::string path;
    Container container = Container::none;
    std::optional<uint64_t> size;
};

struct ReportedFinding {
    std::shared_ptr<const ReportedFile> file;
    Diagnostic diagnostic;
    std::string fingerprint;  // may be empty
};

// Keeps a number of findings, whatever the number of files: the most severe ones, and the first among those of the same
// severity.
class WorstFindings {
  public:
    explicit WorstFindings(size_t most) : most_(most) {}

    void add(ReportedFinding finding);

    // The most severe ones first; those of the same severity in the order in which they came.
    template <class Action>
    void for_each(Action action) const {
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
            for (const ReportedFinding& finding : of(severity)) action(finding);
    }
    size_t size() const;
    // How many findings were added and are not kept.
    uint64_t dropped(Severity severity) const { return dropped_[static_cast<size_t>(severity)]; }

  private:
    const std::deque<ReportedFinding>& of(Severity severity) const { return kept_[static_cast<size_t>(severity)]; }

    size_t most_;
    std::array<std::deque<ReportedFinding>, 3> kept_;  // by severity
    std::array<uint64_t, 3> dropped_{};
};

}  // namespace tracelint
