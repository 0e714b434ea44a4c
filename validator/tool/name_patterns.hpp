// Which of several patterns match one of the names in a file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/tool/glob.hpp"

namespace tracelint {

// All patterns are followed at once, as the bits of one automaton. A byte of a name takes a step for each 64 of them,
// and a pattern that was matched takes none. Patterns and names may both be hostile.
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
    using Words = std::vector<uint64_t>;
    void add(size_t first, const Glob& pattern);
    void close(Words& active) const;
    uint64_t advance(uint8_t byte);
    void take_met();

    size_t words_ = 0;
    std::vector<size_t> ends_;  // the bit of each pattern that is active if it matches
    Words moves_, stays_;       // by byte: the bits that lead to the next one, or stay active
    Words optional_;            // bits that are never active without the next one
    Words starts_;              // active before the first byte, of the patterns that are not met yet
    Words active_;
    std::vector<bool> met_;
    size_t missing_;
    uint64_t heard_ = 0, steps_ = 0;
};

}  // namespace tracelint
