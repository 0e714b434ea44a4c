// The values of a record in a generated file, and how they are drawn.
#pragma once

#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "validator/tables/bytes.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint {

// Draws that give the same numbers on every platform: only the raw output of the generator, which the
// standard fixes, and none of its distributions, which it does not.

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

// A number of `bits` bits that is at an edge as often as in the middle.
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

// Records as values that can be changed and encoded again, whether decoded from a file or generated.

// One value of a record.
struct Value {
    Leaf leaf;
    std::string text;  // of strings (including the NUL), byte fields and raw bytes
    bool is_text() const;
    bool is_number() const { return leaf.kind == Leaf::Kind::value && !is_text(); }
};

// The values of one record, in file order.
struct RecordValues {
    const Record* record = nullptr;  // null for bytes that belong to no record
    Layout layout;
    std::vector<Value> values;

    // The value of a field of the record, or of a list element; null if absent.
    Value* find(std::string_view field, uint64_t element = kNone);
    const Value* find(std::string_view field, uint64_t element = kNone) const;
    uint64_t number(std::string_view field) const;  // 0 if absent
    void set(std::string_view field, uint64_t number);
};

// A whole file, one entry per record in file order.
using FileRecords = std::vector<RecordValues>;

RecordValues decode_values(const Record& record, Bytes data, const Layout& layout, bool bounded);

// Appends the record's bytes. Writes the values as they are, including counts and sizes that are wrong.
void encode(const RecordValues& record, std::string& to);

// Sets counts, sizes of lists and the size of the record to match the values that are there.
void update_sizes(RecordValues& record);

// The layout of the record that follows: running values continue from those of this record.
Layout layout_after(const RecordValues& record);

}  // namespace tracelint
