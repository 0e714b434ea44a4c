// toy: what makes valid files, and the lists of ways to break them.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::toy {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

extern const FaultList kFramingFaults;
extern const FaultList kTaskFaults;

}  // namespace tracelint::toy
