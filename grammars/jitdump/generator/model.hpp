// What framing, generating and planting faults need to know of jitdump; jitdump.cpp puts it into the format.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::jitdump {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// One planted fault at least for every rule of severity error or warning that one edit of a valid file can
// break; faults.cpp lists the others with the reason.
extern const FaultList kPlantedFaults;

}  // namespace tracelint::jitdump
