// Replaces grammars/generators.hpp.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint {

extern const Generator kToyGenerator;

}  // namespace tracelint
