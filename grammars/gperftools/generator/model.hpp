// The model of gperftools CPU profiles.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::gperftools {

// A profile of a random dialect, in a random layout of the four.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::gperftools
