// Keeps the most severe findings of all files.
#include "validator/tool/writers/worst_findings.hpp"

namespace tracelint {

void WorstFindings::add(ReportedFinding finding) {
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

size_t WorstFindings::size() const {
    size_t size = 0;
    for (const auto& kept : kept_) size += kept.size();
    return size;
}

}  // namespace tracelint
