// Draws that give the same numbers on every platform: only the raw output of the generator, which the
// standard fixes, and none of its distributions, which it does not.
#pragma once

#include <initializer_list>
#include <iterator>
#include <random>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

using Random = std::mt19937_64;

// A number below `bound`, which must not be 0. The bias of the remainder does not matter here.
inline uint64_t below(Random& random, uint64_t bound) { return random() % bound; }

// A number from `low` to `high`, both included.
inline uint64_t between(Random& random, uint64_t low, uint64_t high) {
    const uint64_t span = high - low;
    return span == kNone ? random() : low + below(random, span + 1);
}

// True once in `times`.
inline bool one_in(Random& random, uint64_t times) { return below(random, times) == 0; }

template <class T>
T pick(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[below(random, choices.size())];
}

template <class Container>
decltype(auto) pick_of(Random& random, Container& choices) {
    return choices[below(random, std::size(choices))];
}

inline std::string random_bytes(Random& random, uint64_t count) {
    std::string bytes;
    for (uint64_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(random() >> 56));
    return bytes;
}

// A number of `bits` bits that lies at an edge as often as in the middle.
inline uint64_t edge_number(Random& random, unsigned bits) {
    const uint64_t all = bits >= 64 ? kNone : (uint64_t{1} << bits) - 1;
    switch (below(random, 6)) {
        case 0: return below(random, 4) & all;
        case 1: return (all - below(random, 4)) & all;
        case 2: return ((all >> 1) + below(random, 3)) & all;  // around the sign bit
        case 3: return (uint64_t{1} << below(random, bits)) & all;
        case 4: return below(random, 256) & all;
        default: return random() & all;
    }
}

}  // namespace tracelint
