// Follows all patterns for names at once.
#include "validator/tool/name_patterns.hpp"

#include <algorithm>

namespace tracelint {
namespace {

constexpr size_t kBits = 64, kBytes = 256;

void set(std::vector<uint64_t>& words, size_t bit) { words[bit / kBits] |= uint64_t{1} << (bit % kBits); }
bool has(const std::vector<uint64_t>& words, size_t bit) { return (words[bit / kBits] >> (bit % kBits) & 1) != 0; }

}  // namespace

NamePatterns::NamePatterns(const std::vector<const Glob*>& patterns)
    : met_(patterns.size(), false), missing_(patterns.size()) {
    size_t bits = 0;
    for (const Glob* pattern : patterns) {
        ends_.push_back(bits + pattern->steps().size());
        bits = ends_.back() + 1;
    }
    words_ = (bits + kBits - 1) / kBits;
    for (Words* by_byte : {&moves_, &stays_}) by_byte->resize(kBytes * words_);
    for (Words* words : {&optional_, &starts_, &active_}) words->resize(words_);
    for (size_t i = 0; i < patterns.size(); ++i) add(ends_[i] - patterns[i]->steps().size(), *patterns[i]);
    close(starts_);
}

// `first`: the bit of its first step. That of the end is in no set, so nothing leads out of a pattern.
void NamePatterns::add(size_t first, const Glob& pattern) {
    set(starts_, first);
    for (const Glob::Step& step : pattern.steps()) {
        const size_t word = first / kBits;
        const uint64_t bit = uint64_t{1} << (first % kBits);
        for (size_t byte = 0; byte < kBytes; ++byte) {
            if (step.moves[byte]) moves_[byte * words_ + word] |= bit;
            if (step.stays[byte]) stays_[byte * words_ + word] |= bit;
        }
        if (step.is_optional) set(optional_, first);
        ++first;
    }
}

// Adds what is active without a byte.
void NamePatterns::close(Words& active) const {
    uint64_t carry = 0;
    for (size_t i = 0; i < words_; ++i) {
        uint64_t word = active[i] | carry;
        for (uint64_t more = 0; more != word;) {
            more = word;
            word |= (word & optional_[i]) << 1;
        }
        carry = (word & optional_[i]) >> (kBits - 1);
        active[i] = word;
    }
}

// Takes one byte. Zero: nothing is active any more.
uint64_t NamePatterns::advance(uint8_t byte) {
    const uint64_t* const moves = &moves_[byte * words_];
    const uint64_t* const stays = &stays_[byte * words_];
    uint64_t carry = 0, carry_without_byte = 0, any = 0;
    for (size_t i = 0; i < words_; ++i) {
        const uint64_t moved = active_[i] & moves[i];
        uint64_t word = (active_[i] & stays[i]) | (moved << 1) | carry | carry_without_byte;
        // In a pattern for names, at most two optional steps follow each other: the rest of a character, and a *.
        word |= (word & optional_[i]) << 1;
        word |= (word & optional_[i]) << 1;
        carry = moved >> (kBits - 1);
        carry_without_byte = (word & optional_[i]) >> (kBits - 1);
        active_[i] = word;
        any |= word;
    }
    steps_ += words_;
    return any;
}

void NamePatterns::hear(std::string_view name) {
    ++heard_;
    if (missing_ == 0) return;
    active_ = starts_;
    for (const char c : name)
        if (advance(static_cast<uint8_t>(c)) == 0) return;
    take_met();
}

// After the last byte of a name.
void NamePatterns::take_met() {
    size_t first = 0;
    for (size_t i = 0; i < ends_.size(); ++i) {
        const size_t end = ends_[i];
        if (!met_[i] && has(active_, end)) {
            met_[i] = true;
            --missing_;
            for (size_t bit = first; bit <= end; ++bit) starts_[bit / kBits] &= ~(uint64_t{1} << (bit % kBits));
        }
        first = end + 1;
    }
}

}  // namespace tracelint
