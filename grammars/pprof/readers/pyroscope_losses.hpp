// pprof, section 8: what pyroscope leaves out of a profile.
#pragma once

#include <memory>

#include "validator/memory/limits.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint::pprof {

// The payload of a field of the profile; empty if it has none.
Bytes payload_of(Bytes record);

std::unique_ptr<LossCounter> count_pyroscope_losses(Budget& budget, WorkCounter& work);

}  // namespace tracelint::pprof
