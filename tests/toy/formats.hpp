// Replaces grammars/formats.hpp, which lists the formats of the tool: the toy is not one of them.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

extern const Format kToy;

}  // namespace tracelint
