// How the files of the formats are put together, for salvage.
#pragma once

#include "grammars/formats.hpp"
#include "validator/salvage/composition.hpp"

namespace tracelint {

#define TRACELINT_DECLARED(name) extern const Composition k##name##Composition;
TRACELINT_FORMATS(TRACELINT_DECLARED)
#undef TRACELINT_DECLARED

#define TRACELINT_LISTED(name) &k##name##Composition,
inline constexpr const Composition* kCompositions[] = {TRACELINT_FORMATS(TRACELINT_LISTED)};
#undef TRACELINT_LISTED

}  // namespace tracelint
