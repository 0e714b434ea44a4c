// Manifests: lists of the files of a fleet, as --manifest reads them, and their shards.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/input/source.hpp"
#include "validator/tool/inputs/blake2.hpp"
#include "validator/tool/json/checked.hpp"

namespace tracelint {

inline constexpr size_t kLongestEntry = 8192;                 // bytes; a path has 4095 at most
inline constexpr size_t kLongestEtag = 1024;                  // bytes
inline constexpr size_t kMostShardEntries = size_t{1} << 24;  // of one shard
inline constexpr size_t kLargestShard = size_t{1} << 30;      // bytes of its paths and etags
inline constexpr uint64_t kMostShards = 100'000;

// One of the parts that a manifest is divided into, counted from 1.
struct Shard {
    uint64_t index = 1, count = 1;
    bool operator==(const Shard&) const = default;
};

// The shard of `count` that a path belongs to: the remainder of its CRC-32, plus one. Never changes, because other
// programs also compute it.
uint64_t shard_of(std::string_view path, uint64_t count);

// Takes a manifest in pieces, however it is divided, and keeps the entries of one shard. An entry is a path, or a path,
// a size, an etag and a format with tabs between them; of the four, all but the path may be empty. If there are more
// tabs, they belong to the path. Empty entries are left out. Entries that end in newlines are trimmed, see trim_line().
class Manifest {
  public:
    // `end`: '\n' or '\0'.
    Manifest(char end, Shard shard) : end_(end), shard_(shard) {}

    // False: the manifest is faulty.
    bool take(std::string_view piece);
    // After the last piece. If a path occurs twice, the first entry stays; it is a fault if the others differ.
    void finish();

    // The entries of the shard, in the order of the manifest.
    const std::vector<ManifestEntry>& entries() const { return entries_; }
    std::vector<ManifestEntry>& entries() { return entries_; }
    // The number of entries in all shards, repeated ones among them.
    uint64_t count() const { return count_; }
    // Entries of the shard that were left out, as the path occurred before.
    uint64_t repeated() const { return repeated_; }
    // BLAKE2b of the manifest's bytes.
    const std::string& hash() const { return hash_; }
    // What is wrong with the manifest, and in which line; empty if nothing is.
    const std::string& fault() const { return fault_; }

  private:
    bool add(std::string_view part);
    void end_entry();
    void add_entry(ManifestEntry entry);
    void leave_out_repeated();
    bool fail(uint64_t number, std::string_view what);

    char end_;
    Shard shard_;
    Blake2 hashing_;
    std::string hash_;
    std::string text_;  // of the entry, as far as it is known
    uint64_t number_ = 1;
    uint64_t count_ = 0, repeated_ = 0;
    size_t size_ = 0;  // of the paths and etags that are kept
    std::vector<ManifestEntry> entries_;
    std::string fault_;
};

// Reads `source` into the manifest, up to its first fault.
void read_manifest(Source& source, Manifest& manifest);

}  // namespace tracelint
