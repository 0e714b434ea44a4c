// What generating and planting faults need to know of samply's records; samply.cpp hands it on.
#pragma once

#include "grammars/jitdump/extension.hpp"

namespace tracelint::samply {

std::unique_ptr<jitdump::ExtensionModel> make_model(Random& random, const Layout& layout);

// One planted fault at least for every rule of severity error or warning.
std::span<const PlantedFault> planted_faults();

}  // namespace tracelint::samply
