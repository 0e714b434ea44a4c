// The mappings that perf 6.1 makes of a dump's functions.
#include "grammars/jitdump/perf_mappings.hpp"

namespace tracelint::jitdump {

PerfMappings::Added PerfMappings::add(uint64_t start, uint64_t size) {
    if (size > ~start) return Added::done;
    if (!budget_.take(2 * kCost)) return Added::no_memory;  // for it, and for what is left of another one after it
    paid_ += 2 * kCost;
    const uint64_t end = start + size;
    auto next = starts_.lower_bound(start);
    if (next != starts_.begin()) {
        const auto before = std::prev(next);
        const uint64_t old_end = before->second.end;
        if (old_end > start) {
            if (before->second.has_empty) return Added::hangs;
            before->second.end = start;
            if (old_end > end) starts_[end].end = old_end;
        }
    }
    while (next != starts_.end() && next->first < end) {
        const uint64_t old_end = next->second.end;
        next = starts_.erase(next);
        if (old_end > end) starts_[end].end = old_end;
    }
    if (size == 0)
        starts_[start].has_empty = true;
    else
        starts_[start].end = end;
    return Added::done;
}

}  // namespace tracelint::jitdump
