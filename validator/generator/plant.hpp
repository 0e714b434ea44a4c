// Plants faults in valid files.
#pragma once

#include "validator/generator/generate.hpp"

namespace tracelint {

// A file with one planted fault. The rule must be reported at exactly `offset` and `length`, in bytes.
struct PlantedFile {
    std::string bytes;
    const Rule* rule = nullptr;
    uint64_t offset = 0;
    uint64_t length = 0;
    std::vector<std::string_view> consequences;  // ids of other rules that may be reported as well
};

// Plants the fault in a generated file; nothing if that file has no place for it.
std::optional<PlantedFile> plant(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options);

// Plants the fault in a decoded file; nothing if the file has no place for it.
std::optional<PlantedFile> plant(const PlantedFault& fault, FileRecords file, uint64_t seed);

// Plants any fault that breaks the rule, in the first of up to `tries` generated files that has a place for one. Seeds
// count up from options.seed. Nothing if no file has a place, or no fault breaks the rule.
std::optional<PlantedFile> plant(const Generator& generator, const Rule& rule, GenerateOptions options,
                                 unsigned tries = 100);

}  // namespace tracelint
