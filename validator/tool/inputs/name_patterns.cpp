// Follows all patterns for names at once.
#include "validator/tool/inputs/name_patterns.hpp"

namespace tracelint {

NamePatterns::NamePatterns(const std::vector<const Glob*>& patterns)
    : patterns_(patterns), start_(patterns_.start()), met_(patterns.size(), false), missing_(patterns.size()) {}

void NamePatterns::hear(std::string_view name) {
    ++heard_;
    if (missing_ == 0) return;
    state_ = start_;
    patterns_.advance(state_, name, steps_);
    if (!patterns_.is_any_met(state_)) return;
    for (size_t i = 0; i < met_.size(); ++i) {
        if (met_[i] || !patterns_.is_met(state_, i)) continue;
        met_[i] = true;
        --missing_;
        patterns_.drop(start_, i);
    }
}

}  // namespace tracelint
