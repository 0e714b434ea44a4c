// Hashing that the writer of a file cannot foresee.
#pragma once

#include "validator/memory/spread.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint {

// A random number, drawn once in a run: whoever writes a file cannot choose keys that collide in a table.
uint64_t hash_seed();

// A number whose high bits depend on all bits of `number` and of the seed.
constexpr uint64_t seeded(uint64_t number, uint64_t seed) {
    const uint64_t mixed = spread(number ^ seed);
    return (mixed ^ mixed >> 32) * (seed | 1);
}

// The same for bytes.
uint64_t seeded(Bytes bytes, uint64_t seed);

}  // namespace tracelint
