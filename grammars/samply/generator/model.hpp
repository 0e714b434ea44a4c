// The model of samply's records, which jitdump's model adds to its files.
#pragma once

#include "grammars/jitdump/generator/extension_model.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::samply {

std::unique_ptr<jitdump::ExtensionModel> make_model(Random& random, const Layout& layout);

}  // namespace tracelint::samply
