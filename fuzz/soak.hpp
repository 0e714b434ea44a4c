// The big count: many generated and many broken files in one process, tallied by rule.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct SoakOptions {
    uint64_t first_seed = 1;
    uint64_t clean_files = 1000;
    uint64_t seeds_per_fault = 100;  // generated files that each fault is tried on
    double seconds = 0;              // stop after this long; 0: when all is done
};

struct FaultTally {
    const Rule* rule = nullptr;
    uint64_t tried = 0;    // files that the fault was offered
    uint64_t planted = 0;  // that had a place for it
    uint64_t found = 0;    // where exactly it was found
};

struct SoakResult {
    uint64_t clean_files = 0;
    uint64_t not_clean = 0;
    std::vector<FaultTally> faults;       // in the order of the format's table
    std::vector<std::string> complaints;  // the first few
    uint64_t planted() const;
    uint64_t found() const;
};

SoakResult soak(const Generator& generator, const SoakOptions& options);

// Sizes and seeds of the n-th file, for everybody who runs oracles over many of them.
GenerateOptions nth_file(uint64_t seed);

std::string table_of(const SoakResult& result);

}  // namespace tracelint
