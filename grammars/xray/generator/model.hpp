// What generating and planting faults need to know of xray; xray.cpp puts it into the format.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::xray {

// A file of one of the three families, as the seed has it.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::xray
