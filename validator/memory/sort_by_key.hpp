// Sorting in linear time, whatever the input.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "validator/memory/limits.hpp"

namespace tracelint {

// One pass of a radix sort: by the `Digit` bits of the key at `shift`.
template <unsigned Digit, class T, class KeyOf>
void sort_by_digit(std::span<const T> from, std::span<T> to, unsigned shift, KeyOf key_of) {
    std::array<size_t, (size_t{1} << Digit) + 1> starts{};
    const auto digit_of = [&](const T& item) { return uint64_t{key_of(item)} >> shift & ((1u << Digit) - 1); };
    for (const T& item : from) ++starts[digit_of(item) + 1];
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const T& item : from) to[starts[digit_of(item)]++] = item;
}

// Sorts stably by the unsigned integer `key_of(element)`. Many elements that are not sorted already need `scratch`,
// which becomes as long as `items`.
template <class T, class Memory, class KeyOf>
void sort_by_key(std::span<T> items, std::vector<T, Memory>& scratch, KeyOf key_of, WorkCounter& work) {
    constexpr size_t kFew = 24;     // up to this many, an insertion sort is faster
    constexpr size_t kMany = 2048;  // from this many on, larger digits pay off
    work.add(items.size());
    uint64_t differing = 0;  // bits in which keys differ
    bool in_order = true;
    for (size_t i = 1; i < items.size(); ++i) {
        const uint64_t before = key_of(items[i - 1]), key = key_of(items[i]);
        differing |= before ^ key;
        in_order = in_order && before <= key;
    }
    if (in_order) return;
    if (items.size() <= kFew) {
        work.add(kFew / 4 * items.size());
        for (size_t i = 1; i < items.size(); ++i)
            for (size_t at = i; at > 0 && key_of(items[at]) < key_of(items[at - 1]); --at)
                std::swap(items[at], items[at - 1]);
        return;
    }
    scratch.resize(items.size());
    std::span<T> from = items, to = scratch;
    const unsigned digit = items.size() < kMany ? 8 : 11;
    for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += digit) {
        if ((differing >> shift & ((1u << digit) - 1)) == 0) continue;
        work.add(items.size());
        digit == 8 ? sort_by_digit<8, T>(from, to, shift, key_of) : sort_by_digit<11, T>(from, to, shift, key_of);
        std::swap(from, to);
    }
    if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

}  // namespace tracelint
