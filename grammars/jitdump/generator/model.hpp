// The model of jitdump files, with the records of the extension.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::jitdump {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

}  // namespace tracelint::jitdump
