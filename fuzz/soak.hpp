// Soak runs: many generated files and planted faults in one process, tallied by fault.
#pragma once

#include "fuzz/judged_group.hpp"
#include "fuzz/oracles.hpp"

namespace tracelint {

struct SoakOptions {
    uint64_t first_seed = 1;
    uint64_t clean_files = 1000;
    uint64_t seeds_per_fault = 100;  // generated files that each fault is tried on
    uint64_t salvaged_every = 32;    // one in so many files with a fault is salvaged and shrunk; 0: none
    double seconds = 0;              // time limit; 0: none
};

struct FaultTally {
    const Rule* rule = nullptr;
    uint64_t tried = 0;    // files that the fault was tried on
    uint64_t planted = 0;  // files that had a place for it
    uint64_t found = 0;    // files in which it was reported exactly
};

// What salvage and shrink make of files with a fault.
struct RepairTally {
    uint64_t files = 0;
    uint64_t wrong = 0;          // that did not end as they must (salvage_oracle.hpp, shrink_oracle.hpp)
    std::vector<uint64_t> kept;  // by salvage, of each file that it changed: in thousandths of the bytes
};

struct SoakResult {
    uint64_t clean_files = 0;
    uint64_t not_clean = 0;
    std::vector<FaultTally> faults;  // in the order of the generator's tables
    RepairTally repairs;
    std::vector<std::string> complaints;  // the first few
    uint64_t planted() const;
    uint64_t found() const;
};

SoakResult soak(const Generator& generator, const SoakOptions& options);

// Groups of files, one of which is changed, are judged within limits and without (fuzz/judged_group.hpp).
struct GroupSoakResult {
    uint64_t groups = 0;  // judged
    uint64_t failed = 0;
    std::vector<std::string> complaints;  // the first few
};
// Takes `groups` in turn, `count` times in all.
GroupSoakResult soak_groups(const std::vector<std::vector<GroupFile>>& groups, uint64_t count, uint64_t first_seed);

// Options for one of many files: the seed, and a size that depends on it.
GenerateOptions nth_file(uint64_t seed);

std::string table_of(const SoakResult& result);

}  // namespace tracelint
