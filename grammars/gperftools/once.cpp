// gperftools, section 5.0: rules that are reported once per profile.
#include "grammars/gperftools/once.hpp"

#include <algorithm>

namespace tracelint::gperftools {

void OncePerProfile::add(const Diagnostic& first, uint64_t times) {
    const auto known = std::ranges::find_if(pending_, [&](const Pending& p) {
        return p.first.rule == first.rule && p.first.is_overridden == first.is_overridden;
    });
    if (known == pending_.end()) return pending_.push_back({first, times});
    known->times += times;
    if (first.place.offset < known->first.place.offset) known->first = first;
}

void OncePerProfile::drop(const Rule& rule) {
    std::erase_if(pending_, [&](const Pending& p) { return p.first.rule == &rule; });
}

void OncePerProfile::report_to(Report& report) {
    for (Pending& pending : pending_) {
        pending.first.numbers[0] = pending.times;
        if (pending.first.place.offset >= cut_) pending.first.about_end = true;
        report.add(pending.first);
    }
    pending_.clear();
}

}  // namespace tracelint::gperftools
