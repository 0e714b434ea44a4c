// What generating and planting faults need to know of Mono's logs; mlpd.cpp puts it into the format.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint::mlpd {

// A session of a program under the profiler, in one of the 17 data versions and two pointer sizes.
std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// Makes the headers of buffers say how long their events are, and events go on from the method of the one before.
void update_buffers(FileRecords& file);

}  // namespace tracelint::mlpd
