// The oracles for manifests and parts: any bytes are a manifest or a fault with its line, any bytes are a part or a
// fault, and what is read from a part is written as it was.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct RebuiltFile;

// However the manifest is divided into pieces, it says the same, and each entry is in one shard. `seed` chooses the
// pieces, the number of shards, and what ends an entry.
Complaint manifest_holds(std::string_view text, uint64_t seed);

// What tracelint writes of a file that it read from a part is read again, and written as before.
Complaint part_holds(std::string_view bytes);

struct PartFile {
    std::string path, bytes;
};

// The part that a run over these files writes, as shard 1 of 1 of a manifest that lists them.
std::string part_of(const std::vector<PartFile>& files);

// What tracelint writes of a file that it read from a part.
std::string lines_of(const RebuiltFile& file);

}  // namespace tracelint
