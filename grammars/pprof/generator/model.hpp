// pprof: what makes valid files, and the lists of ways to break them.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::pprof {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

extern const FaultList kWireFaults;
extern const FaultList kEntryFaults;
extern const FaultList kProfileFaults;

}  // namespace tracelint::pprof
