// Tries seeds. A model draws what a file is before it draws records, so the start of a file shows its traits.
#include "validator/generator/file_traits.hpp"

#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr unsigned kTries = 1000;

Outcome outcome_of(const Format& format, Bytes file) {
    MemorySource source(file);
    CheckOptions options;
    options.format = &format;
    return check(source, options);
}

Identity identity_of(const Generator& generator, GenerateOptions options) {
    options.size = 0;  // the shortest file of the seed
    return outcome_of(*generator.format, as_bytes(generate_bytes(generator, options))).context.identity;
}

}  // namespace

bool can_break(const Format& format, const Rule& rule, const FileTraits& traits) {
    if (traits.extensions.value_or(true)) return true;
    return std::ranges::none_of(format.grammars.subspan(1), [&](const Grammar* extension) {
        const std::vector<const Rule*> own = rules_of(*extension);
        return std::ranges::find(own, &rule) != own.end();
    });
}

std::optional<GenerateOptions> options_with(const Generator& generator, GenerateOptions options,
                                            const FileTraits& traits) {
    if (traits.byte_order) options.model.byte_order = traits.byte_order;
    options.model.extensions = traits.extensions;
    if (traits.extensions.value_or(false) && generator.format->grammars.size() == 1) return std::nullopt;
    if (!traits.byte_order && !traits.version) return options;
    for (unsigned i = 0; i < kTries; ++i, ++options.seed) {
        const Identity identity = identity_of(generator, options);
        if (traits.byte_order && identity.byte_order != traits.byte_order) continue;
        if (traits.version && identity.format_version != traits.version) continue;
        return options;
    }
    return std::nullopt;
}

std::optional<PlantedFile> plant(const Generator& generator, const Rule& rule, GenerateOptions options,
                                 const FileTraits& traits, unsigned tries) {
    std::vector<PlantedFault> faults = faults_of(generator);
    std::erase_if(faults, [&](const PlantedFault& fault) { return fault.rule != &rule; });
    if (!can_break(*generator.format, rule, traits)) return std::nullopt;
    for (unsigned i = 0; i < tries && !faults.empty(); ++i, ++options.seed) {
        const auto chosen = options_with(generator, options, traits);
        if (!chosen) break;
        options = *chosen;
        for (const PlantedFault& fault : faults)
            if (auto file = plant(generator, fault, options)) return file;
    }
    return std::nullopt;
}

}  // namespace tracelint
