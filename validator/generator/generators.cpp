// The list of generators.
#include "validator/generator/generator.hpp"

#include <algorithm>

#include "grammars/generators.hpp"

namespace tracelint {

const Generator* find_generator(const Format& format) {
    const auto found =
        std::ranges::find_if(kGenerators, [&](const Generator* generator) { return generator->format == &format; });
    return found == std::end(kGenerators) ? nullptr : *found;
}

const Generator& generator_of(const Format& format) { return *find_generator(format); }

std::vector<PlantedFault> faults_of(const Generator& generator) {
    const std::vector<const Rule*> rules = rules_of(*generator.format);
    std::vector<PlantedFault> faults;
    for (const FaultList* list : generator.faults)
        for (const FaultRow& row : *list) {
            const auto rule = std::ranges::find(rules, row.rule, &Rule::id);
            if (rule != rules.end()) faults.push_back({*rule, row.plant});
        }
    return faults;
}

std::vector<PlantedFault> faults_of(const Format& format) {
    const Generator* generator = find_generator(format);
    return generator == nullptr ? std::vector<PlantedFault>{} : faults_of(*generator);
}

}  // namespace tracelint
