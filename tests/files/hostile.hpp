// Files that are hard on what a walk remembers, sorts or looks through: for each format, one for each thing that
// takes memory or time. The work on them must be linear, and their memory under the budget.
#pragma once

#include <span>
#include <vector>

#include "tests/files/output_file.hpp"

namespace tracelint::files {

struct HostileFile {
    const char* name;      // <grammar>-<slug>, or gzip-<slug>
    const char* stresses;  // what it is hard on
    // Writes one of about the wanted size, a few hundred bytes at least.
    void (*write)(const Target& to);
};

std::span<const HostileFile> hostile_jitdump();
std::span<const HostileFile> hostile_samply();
std::span<const HostileFile> hostile_xray();
std::span<const HostileFile> hostile_gperftools();
std::span<const HostileFile> hostile_mlpd();
std::span<const HostileFile> hostile_gzip();

// All of them, by format.
std::vector<HostileFile> all_hostile();

// The number whose product with kSpread is `wanted`: hash functions of this tree multiply by kSpread and take the
// highest bits, so these numbers all get the lowest places.
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15;
constexpr uint64_t colliding(uint64_t wanted) {
    uint64_t inverse = kSpread;  // right in the lowest 3 bits; each step doubles them
    for (int i = 0; i < 5; ++i) inverse *= 2 - kSpread * inverse;
    return wanted * inverse;
}
static_assert(colliding(1) * kSpread == 1 && colliding(12345) * kSpread == 12345);

// 0, 1, 2 and so on in an order that looks like none; each number below 2^32 once.
constexpr uint64_t shuffled(uint64_t number) { return number * 0x9e3779b1 % 0x100000000; }

}  // namespace tracelint::files
