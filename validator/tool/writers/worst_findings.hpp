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
    std::shared_ptr<const void> texts;  // what the findings of another run refer to
};

struct ReportedFinding {
    std::shared_ptr<const ReportedFile> file;
    Diagnostic diagnostic;
    std::string fingerprint;               // may be empty
    const BaselineEntry* entry = nullptr;  // of the baseline, by which the finding is known; null: it is new
};

// Keeps a number of findings, whatever the number of files: the most severe ones, and the first among those of the same
// severity. Those that are known come after all others.
class WorstFindings {
  public:
    explicit WorstFindings(size_t most) : most_(most) {}

    void add(ReportedFinding finding);

    // The most severe ones first; those of the same severity in the order in which they came; then those that are
    // known.
    template <class Action>
    void for_each(Action action) const {
        for (size_t rank = kKnown; rank-- > 0;)
            for (const ReportedFinding& finding : kept_[rank]) action(finding);
        for (const ReportedFinding& finding : kept_[kKnown]) action(finding);
    }
    size_t size() const;
    // How many findings were added and are not kept.
    uint64_t dropped(Severity severity) const { return dropped_[static_cast<size_t>(severity)]; }
    uint64_t dropped_known() const { return dropped_[kKnown]; }

  private:
    static constexpr size_t kKnown = 3;  // after the severities

    size_t most_;
    std::array<std::deque<ReportedFinding>, 4> kept_;  // by severity, and those that are known
    std::array<uint64_t, 4> dropped_{};
};

inline void WorstFindings::add(ReportedFinding finding) {
    const size_t rank = finding.entry != nullptr ? kKnown : static_cast<size_t>(severity_of(finding.diagnostic));
    kept_[rank].push_back(std::move(finding));
    if (size() <= most_) return;
    // Those that are known go first, then the least severe ones.
    for (const size_t least : {kKnown, size_t{0}, size_t{1}, size_t{2}}) {
        if (kept_[least].empty()) continue;
        kept_[least].pop_back();
        ++dropped_[least];
        return;
    }
}

inline size_t WorstFindings::size() const {
    size_t size = 0;
    for (const auto& kept : kept_) size += kept.size();
    return size;
}

}  // namespace tracelint
