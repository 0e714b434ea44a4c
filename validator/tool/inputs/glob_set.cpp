// Follows several patterns at once, 64 bits at a time.
#include "validator/tool/inputs/glob_set.hpp"

#include <algorithm>
#include <utility>

namespace tracelint {
namespace {

constexpr size_t kBits = 64, kBytes = 256;

void set(GlobSet::State& words, size_t bit) { words[bit / kBits] |= uint64_t{1} << (bit % kBits); }

}  // namespace

GlobSet::GlobSet(const std::vector<const Glob*>& patterns) {
    size_t bits = 0;
    for (const Glob* pattern : patterns) {
        ends_.push_back(bits + pattern->steps().size());
        bits = ends_.back() + 1;
    }
    words_ = (bits + kBits - 1) / kBits;
    for (State* by_byte : {&moves_, &stays_}) by_byte->resize(kBytes * words_);
    for (State* words : {&optional_, &folders_, &ends_set_, &start_}) words->resize(words_);
    for (const size_t end : ends_) set(ends_set_, end);
    for (size_t i = 0; i < patterns.size(); ++i) add(ends_[i] - patterns[i]->steps().size(), *patterns[i]);
    uint64_t carry = 0;
    for (size_t i = 0; i < words_; ++i) carry = close(start_, i, start_[i] | carry);
}

// `first`: the bit of its first step. That of the end is in no set, so nothing leads out of a pattern.
void GlobSet::add(size_t first, const Glob& pattern) {
    set(start_, first);
    for (const Glob::Step& step : pattern.steps()) {
        const size_t word = first / kBits;
        const uint64_t bit = uint64_t{1} << (first % kBits);
        for (size_t byte = 0; byte < kBytes; ++byte) {
            if (step.moves[byte]) moves_[byte * words_ + word] |= bit;
            if (step.stays[byte]) stays_[byte * words_ + word] |= bit;
        }
        if (step.is_optional) set(optional_, first);
        if (step.is_folders) set(folders_, first);
        ++first;
    }
}

// Stores a word with the bits that are active without a byte. Returns the bits that this activates in the next word.
// Twice is enough: at most two optional steps follow each other, the rest of a character, or folders, before a *.
uint64_t GlobSet::close(State& state, size_t word, uint64_t active) const {
    for (int i = 0; i < 2; ++i) active |= (active & optional_[word]) << 1 | (active & folders_[word]) << 2;
    state[word] = active;
    return (active & optional_[word]) >> (kBits - 1) | (active & folders_[word]) >> (kBits - 2);
}

// Zero: nothing is active any more.
uint64_t GlobSet::advance_byte(State& state, uint8_t byte) const {
    const uint64_t* const moves = moves_.data() + byte * words_;
    const uint64_t* const stays = stays_.data() + byte * words_;
    uint64_t carry = 0, any = 0;
    for (size_t i = 0; i < words_; ++i) {
        const uint64_t moved = state[i] & moves[i];
        carry = close(state, i, (state[i] & stays[i]) | moved << 1 | carry) | moved >> (kBits - 1);
        any |= state[i];
    }
    return any;
}

void GlobSet::advance(State& state, std::string_view text, uint64_t& steps) const {
    for (const char c : text) {
        if (state.empty()) return;
        steps += words_;
        if (advance_byte(state, static_cast<uint8_t>(c)) == 0) state = State();
    }
}

bool GlobSet::is_matched(const State& state, size_t pattern) const {
    const size_t end = ends_[pattern];
    return !state.empty() && (state[end / kBits] >> (end % kBits) & 1) != 0;
}

bool GlobSet::is_any_matched(const State& state) const {
    for (size_t i = 0; i < state.size(); ++i)
        if ((state[i] & ends_set_[i]) != 0) return true;
    return false;
}

void GlobSet::drop(State& state, size_t pattern) const {
    if (state.empty()) return;
    const size_t first = pattern == 0 ? 0 : ends_[pattern - 1] + 1;
    for (size_t bit = first; bit <= ends_[pattern]; ++bit) state[bit / kBits] &= ~(uint64_t{1} << (bit % kBits));
}

NamePatterns::NamePatterns(const std::vector<const Glob*>& patterns)
    : patterns_(patterns), start_(patterns_.start()), matched_(patterns.size(), false), missing_(patterns.size()) {}

void NamePatterns::add(std::string_view name) {
    ++added_;
    if (missing_ == 0) return;
    state_ = start_;
    patterns_.advance(state_, name, steps_);
    if (!patterns_.is_any_matched(state_)) return;
    for (size_t i = 0; i < matched_.size(); ++i) {
        if (matched_[i] || !patterns_.is_matched(state_, i)) continue;
        matched_[i] = true;
        --missing_;
        patterns_.drop(start_, i);
    }
}

}  // namespace tracelint
