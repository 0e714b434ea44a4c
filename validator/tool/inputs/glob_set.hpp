// Several patterns that are followed together.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/tool/inputs/glob.hpp"

namespace tracelint {

// Patterns as the bits of one automaton. A byte takes a step for each 64 of them, whatever the patterns. What is known
// of a text is a State, so that texts with the same beginning share the steps that it takes.
class GlobSet {
  public:
    using State = std::vector<uint64_t>;  // the active bits; empty: none, and none will be

    explicit GlobSet(const std::vector<const Glob*>& patterns);

    // Before the first byte.
    const State& start() const { return start_; }
    // Continues with the text, and adds the steps that it takes to `steps`.
    void advance(State& state, std::string_view text, uint64_t& steps) const;
    // Whether a pattern, or any of them, matches the text so far.
    bool is_matched(const State& state, size_t pattern) const;
    bool is_any_matched(const State& state) const;
    // Removes a pattern from a state: it takes no more steps.
    void drop(State& state, size_t pattern) const;

  private:
    void add(size_t first, const Glob& pattern);
    uint64_t advance_byte(State& state, uint8_t byte) const;
    uint64_t close(State& state, size_t word, uint64_t active) const;

    size_t words_ = 0;
    std::vector<size_t> ends_;  // the bit of each pattern that is active if it matches
    State ends_set_;            // the same, as a set
    State moves_, stays_;       // by byte: the bits that lead to the next one, or stay active
    State optional_;            // bits that are never active without the next one
    State folders_;             // bits that are never active without the one after the next
    State start_;
};

// All patterns are followed at once, and one that was matched takes no more steps. Patterns and names may both be
// hostile.
class NamePatterns {
  public:
    // The patterns are for names.
    explicit NamePatterns(const std::vector<const Glob*>& patterns);

    void add(std::string_view name);
    bool is_matched(size_t pattern) const { return matched_[pattern]; }
    // Names so far.
    uint64_t added() const { return added_; }
    // What hearing them took.
    uint64_t steps() const { return steps_; }

  private:
    GlobSet patterns_;
    GlobSet::State start_;  // without the patterns that are met
    GlobSet::State state_;  // kept for its memory
    std::vector<bool> matched_;
    size_t missing_;
    uint64_t added_ = 0, steps_ = 0;
};

}  // namespace tracelint
