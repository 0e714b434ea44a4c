// What generating and planting faults need to know of profiles; gperftools.cpp puts it into the format.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::gperftools {

// A profile of one of the dialects, in one of the four layouts, as the seed has it.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::gperftools
