// The model of Mono's profiler logs.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::mlpd {

// A session in a random data version of the 17 and a random pointer size.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// Sets the lengths in all buffer headers, and makes relative values of events continue from the event before.
void update_buffers(FileRecords& file);

}  // namespace tracelint::mlpd
