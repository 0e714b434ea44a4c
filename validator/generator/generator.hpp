// What makes files of a format: data and a few functions, as Format is for what judges them. grammars/generators.hpp
// lists them.
#pragma once

#include "validator/format.hpp"
#include "validator/generator/model.hpp"
#include "validator/generator/planted_fault.hpp"

namespace tracelint {

struct Generator {
    const Format* format;
    std::unique_ptr<Model> (*model)(Random& random, const ModelOptions& options);
    std::span<const FaultList* const> faults;  // a list for each file that states faults
};

// The generator of a format, or null where nobody has written one.
const Generator* find_generator(const Format& format);
// That of a format which has one.
const Generator& generator_of(const Format& format);

// All faults that can be planted in a file of the format; none where it has no generator.
std::vector<PlantedFault> faults_of(const Generator& generator);
std::vector<PlantedFault> faults_of(const Format& format);

}  // namespace tracelint
