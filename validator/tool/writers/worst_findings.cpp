// Keeps the most severe findings of all files.
#include "validator/tool/writers/worst_findings.hpp"

namespace tracelint {

void WorstFindings::add(ReportedFinding finding) {
    const auto severity = static_cast<size_t>(severity_of(finding.diagnostic));
    kept_[severity].push_back(std::move(finding));
    if (size() <= most_) return;
    for (size_t least = 0; least < kept_.size(); ++least) {
        if (kept_[least].empty()) continue;
        kept_[least].pop_back();
        ++dropped_[least];
        return;
    }
}

size_t WorstFindings::size() const {
    size_t size = 0;
    for (const auto& kept : kept_) size += kept.size();
    return size;
}

}  // namespace tracelint
