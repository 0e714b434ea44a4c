// What generates files of a format: a model for valid files, and faults to plant in them. grammars/generators.hpp
// lists all generators.
#pragma once

#include "validator/format.hpp"
#include "validator/generator/model.hpp"
#include "validator/generator/planted_fault.hpp"

namespace tracelint {

struct Generator {
    const Format* format;
    std::unique_ptr<Model> (*model)(Random& random, const ModelOptions& options);
    std::span<const FaultList* const> faults;  // one list for each source file that states faults
};

// The generator of a format, or null if it has none.
const Generator* find_generator(const Format& format);
// The generator of a format that has one.
const Generator& generator_of(const Format& format);

// All faults that can be planted in a file of the format; none if the format has no generator.
std::vector<PlantedFault> faults_of(const Generator& generator);
std::vector<PlantedFault> faults_of(const Format& format);

}  // namespace tracelint
