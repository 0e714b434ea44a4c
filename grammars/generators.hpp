// The generators of the formats.
#pragma once

#include "grammars/formats.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint {

#define TRACELINT_DECLARED(name) extern const Generator k##name##Generator;
TRACELINT_FORMATS(TRACELINT_DECLARED)
#undef TRACELINT_DECLARED

#define TRACELINT_LISTED(name) &k##name##Generator,
inline constexpr const Generator* kGenerators[] = {TRACELINT_FORMATS(TRACELINT_LISTED)};
#undef TRACELINT_LISTED

}  // namespace tracelint
