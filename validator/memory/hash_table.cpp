// The seed of all hash tables of a run, and hashes of bytes.
#include "validator/memory/hash_table.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <chrono>

namespace tracelint {
namespace {

uint64_t drawn() {
    // Where the system has no random numbers, the time stays: better than a number that everybody knows.
    auto seed = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    [[maybe_unused]] const int failed = getentropy(&seed, sizeof seed);
    return seed;
}

}  // namespace

uint64_t hash_seed() {
    static const uint64_t seed = drawn();
    return seed;
}

// Two words never cancel out: the first changes all bits above its own before the second is added.
uint64_t seeded(Bytes bytes, uint64_t seed) {
    uint64_t hash = seeded(bytes.size(), seed);
    size_t at = 0;
    for (; bytes.size() - at >= 8; at += 8) hash = seeded(hash ^ load(bytes.data() + at, 8, ByteOrder::little), seed);
    uint64_t rest = 0;
    for (size_t i = bytes.size(); i > at; --i) rest = rest << 8 | bytes[i - 1];
    return seeded(hash ^ rest, seed);
}

}  // namespace tracelint
