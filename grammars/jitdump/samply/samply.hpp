// samply's extension of jitdump, as the base format sees it.
#pragma once

#include "grammars/jitdump/extension.hpp"
#include "grammars/jitdump/samply/records.hpp"

namespace tracelint::samply {

extern const Grammar kGrammar;

std::unique_ptr<jitdump::Extension> make_validator(ValidationContext& context);
const Record& record_of(uint32_t id, uint64_t total_size, const Settings& settings);

inline constexpr jitdump::ExtensionKind kExtension{
    .grammar = &kGrammar,
    .ids = kIds,
    .make = make_validator,
    .record_of = record_of,
};

}  // namespace tracelint::samply
