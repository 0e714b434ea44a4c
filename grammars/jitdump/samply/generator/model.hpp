// The model of samply's records, which jitdump's model adds to its files.
#pragma once

#include "grammars/jitdump/generator/model.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::samply {

std::unique_ptr<jitdump::ExtensionModel> make_model(Random& random, const Layout& layout);

// Faults to plant in these records, by section.
namespace faults {
extern const FaultList kSharedFaults, kPendingFaults, kTreeFaults, kNestingFaults, kPositionFaults;
}

}  // namespace tracelint::samply
