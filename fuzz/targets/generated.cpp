// Targets whose files are generated, from a seed that the input gives.
#include <map>

#include "fuzz/targets/target.hpp"

namespace tracelint {
namespace {

using FaultsByFormat = std::map<const Format*, std::vector<PlantedFault>>;

FaultsByFormat all_faults() {
    FaultsByFormat faults;
    for (const Format* format : formats()) faults[format] = faults_of(*format);
    return faults;
}

Complaint fault_is_found(const FuzzInput& input) {
    static const FaultsByFormat by_format = all_faults();
    const Generator& generator = input.generator();
    const std::vector<PlantedFault>& faults = by_format.at(generator.format);
    if (faults.empty()) return std::nullopt;
    return planted_fault(generator, faults[(input.parameters() >> 16) % faults.size()], input.generate_options());
}

Complaint mirrors(const FuzzInput& input) {
    const bool is_seed = (input.parameters() >> 40) % 2 == 0;
    return is_seed ? mirrored(input.generator(), input.generate_options())
                   : mirrored_file(input.format(), input.bytes());
}

constexpr FuzzTarget kGenerated[] = {
    {
        .name = "generated_is_clean",
        .statement = "the input is a seed: the generated file has no error and no warning, and decodes to its values",
        .run = [](const FuzzInput& input) { return generated_is_sound(input.generator(), input.generate_options()); },
        .seeds = "numbers",
    },
    {
        .name = "planted_fault",
        .statement = "the input is a seed and chooses a fault, which is found where it is planted in a generated file",
        .run = fault_is_found,
        .seeds = "numbers",
    },
    {
        .name = "mirrored",
        .statement = "a valid file, the input or one generated from it, has the same findings in the other byte order",
        .run = mirrors,
        .mutator = FuzzMutator::structured,
    },
};

}  // namespace

const std::span<const FuzzTarget> kGeneratedTargets(kGenerated);

}  // namespace tracelint
