// What framing, generating and planting faults need to know of jitdump; jitdump.cpp puts it into the format.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::jitdump {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::jitdump
