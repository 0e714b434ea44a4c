// Hostile files: for each format, one file for each thing that takes memory or time, such as what a walk remembers,
// sorts or searches. Work must be linear in the size of the file, and memory must stay within the budget.
#pragma once

#include <span>
#include <vector>

#include "tests/files/output_file.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::files {

struct HostileFile {
    const char* name;      // <grammar>-<slug>, gzip-<slug> or zstd-<slug>
    const char* stresses;  // what is in the file
    // Writes a file of about the size asked for, at least a few hundred bytes.
    void (*write)(const Target& to);
    // Bytes that a check takes whatever the size: the window that a zstd frame asks for, and the context of libzstd.
    uint64_t constant_memory = 0;
    // Whether even a small one reaches a limit: more is read or decompressed because of it than it has bytes.
    bool reaches_limit = false;
};

std::span<const HostileFile> hostile_jitdump();
std::span<const HostileFile> hostile_samply();
std::span<const HostileFile> hostile_xray();
std::span<const HostileFile> hostile_gperftools();
std::span<const HostileFile> hostile_mlpd();
std::span<const HostileFile> hostile_perfdata();
std::span<const HostileFile> hostile_perfmap();
std::span<const HostileFile> hostile_pprof();
std::span<const HostileFile> hostile_nettrace();
std::span<const HostileFile> hostile_gzip();
std::span<const HostileFile> hostile_zstd();  // none in builds without zstd

// All of them, by format.
std::vector<HostileFile> all_hostile();

// Files that are checked together.
struct NamedFile {
    std::string name;
    std::string bytes;
};
struct HostileGroup {
    const char* name;                                // siblings-<slug>
    const char* stresses;                            // what the files say of each other
    std::vector<NamedFile> (*make)(uint64_t bytes);  // of about so many bytes in all, at least a few hundred
    uint64_t largest;                                // bytes for which it is made, at most
    bool is_found = false;                           // in one folder, and not named
};
std::span<const HostileGroup> hostile_siblings();

// The number that spread() maps to `wanted`. Hash tables take the high bits of spread(), so small values of `wanted`
// all hash to the first slots.
constexpr uint64_t colliding(uint64_t wanted) {
    uint64_t inverse = kSpread;  // correct in the lowest 3 bits; each step doubles their number
    for (int i = 0; i < 5; ++i) inverse *= 2 - kSpread * inverse;
    return wanted * inverse;
}
static_assert(spread(colliding(1)) == 1 && spread(colliding(12345)) == 12345);

// A permutation of the numbers below 2^32 that looks random.
constexpr uint64_t shuffled(uint64_t number) { return number * 0x9e3779b1 % 0x100000000; }

}  // namespace tracelint::files
