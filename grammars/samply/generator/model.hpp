// What generating and planting faults need to know of samply's records; samply.cpp hands it on.
#pragma once

#include "grammars/jitdump/generator/extension_model.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::samply {

std::unique_ptr<jitdump::ExtensionModel> make_model(Random& random, const Layout& layout);

}  // namespace tracelint::samply
