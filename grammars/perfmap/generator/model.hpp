// perf map: what makes valid files, and the lists of ways to break them.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::perfmap {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

extern const FaultList kLineFaults;
extern const FaultList kNumberFaults;
extern const FaultList kNameFaults;

}  // namespace tracelint::perfmap
