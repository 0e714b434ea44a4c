// The model of XRay files.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::xray {

// A file of a random family of the three.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::xray
