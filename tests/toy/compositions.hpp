// Replaces grammars/compositions.hpp.
#pragma once

#include "validator/salvage/composition.hpp"

namespace tracelint {

extern const Composition kToyComposition;

}  // namespace tracelint
