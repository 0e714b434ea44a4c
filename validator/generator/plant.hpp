// Planted faults: valid files broken in one known place.
#pragma once

#include "validator/generator/generate.hpp"

namespace tracelint {

struct PlantedFile {
    std::string bytes;
    const Rule* rule = nullptr;  // that must be found at exactly `offset` and `length`
    uint64_t offset = 0;
    uint64_t length = 0;
    std::vector<std::string_view> consequences;  // ids of errors and warnings that may come along
};

// Breaks a generated file with the given fault; nothing if that file offers no place for it.
std::optional<PlantedFile> plant(const Generator& generator, const PlantedFault& fault, const GenerateOptions& options);

// The same for any file of the format, taken apart.
std::optional<PlantedFile> plant(const PlantedFault& fault, FileRecords file, uint64_t seed);

// Tries seeds from options.seed on until one of the rule's faults fits; nothing if the format has no
// fault for the rule, or `tries` files offered no place.
std::optional<PlantedFile> plant(const Generator& generator, const Rule& rule, GenerateOptions options,
                                 unsigned tries = 100);

}  // namespace tracelint
