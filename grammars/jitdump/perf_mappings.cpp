// The mappings that perf 6.1 makes of a dump's functions.
#include "grammars/jitdump/perf_mappings.hpp"

#include <utility>

namespace tracelint::jitdump {

PerfMappings::Start* PerfMappings::at(uint64_t address) {
    if (Start* const known = starts_.find(address)) return known;
    return starts_.insert({address}) ? starts_.find(address) : nullptr;
}

// What is left of a mapping that ends behind the new one. False: the budget is spent.
bool PerfMappings::keep_rest(uint64_t start, uint64_t end) {
    if (end <= start) return true;
    Start* const rest = at(start);
    if (rest != nullptr) rest->end = end;
    return rest != nullptr;
}

PerfMappings::Added PerfMappings::add(uint64_t start, uint64_t size) {
    if (size > ~start) return Added::done;
    const uint64_t end = start + size;
    if (Start* const before = starts_.before(start); before != nullptr && before->end > start) {
        if (before->has_empty) return Added::hangs;
        const uint64_t old_end = std::exchange(before->end, start);
        if (!keep_rest(end, old_end)) return Added::no_memory;
    }
    for (Start* next = starts_.at_or_after(start); next != nullptr && next->key < end;
         next = starts_.at_or_after(start)) {
        const Start cut = *next;
        starts_.erase(cut.key);
        if (!keep_rest(end, cut.end)) return Added::no_memory;
    }
    Start* const added = at(start);
    if (added == nullptr) return Added::no_memory;
    if (size == 0)
        added->has_empty = true;
    else
        added->end = end;
    return Added::done;
}

}  // namespace tracelint::jitdump
