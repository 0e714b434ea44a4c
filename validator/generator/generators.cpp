// The list of generators.
#include "validator/generator/generator.hpp"

#include <algorithm>

#include "grammars/generators.hpp"

namespace tracelint {
namespace {

// Calls `visit` for each check of the record and of the elements of its lists that raises a rule.
template <class Visit>
void for_each_check(const Record& record, Visit visit) {
    for (const Field& field : record.fields()) {
        if (field.element != nullptr) for_each_check(*field.element, visit);
        for (const Check& check : field.checks)
            if (check.rule != nullptr) visit(*check.rule);
    }
}

}  // namespace

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
            if (rule != rules.end()) faults.push_back({*rule, row.plant, generator.settle});
        }
    const std::vector<const Record*> records = records_of(*generator.format);
    for (const Record* record : records)
        for_each_check(*record, [&](const Rule& rule) {
            if (rule.severity == Severity::note) return;  // no fault of the file
            if (std::ranges::find(faults, &rule, &PlantedFault::rule) != faults.end()) return;
            faults.push_back({&rule, nullptr, generator.settle});
        });
    return faults;
}

std::vector<PlantedFault> faults_of(const Format& format) {
    const Generator* generator = find_generator(format);
    return generator == nullptr ? std::vector<PlantedFault>{} : faults_of(*generator);
}

}  // namespace tracelint
