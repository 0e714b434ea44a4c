// The extension that fills the seam of extension.hpp. No other file of this folder names it.
#pragma once

#include "grammars/samply/samply.hpp"

namespace tracelint::jitdump {

inline constexpr const ExtensionKind& kExtension = samply::kExtension;

}  // namespace tracelint::jitdump
