// Which of several patterns match one of the names in a file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/tool/inputs/glob_set.hpp"

namespace tracelint {

// All patterns are followed at once, and one that was matched takes no more steps. Patterns and names may both be
// hostile.
class NamePatterns {
  public:
    // The patterns are for names.
    explicit NamePatterns(const std::vector<const Glob*>& patterns);

    void hear(std::string_view name);
    bool is_met(size_t pattern) const { return met_[pattern]; }
    // Names so far.
    uint64_t heard() const { return heard_; }
    // What hearing them took.
    uint64_t steps() const { return steps_; }

  private:
    GlobSet patterns_;
    GlobSet::State start_;  // without the patterns that are met
    GlobSet::State state_;  // kept for its memory
    std::vector<bool> met_;
    size_t missing_;
    uint64_t heard_ = 0, steps_ = 0;
};

}  // namespace tracelint
