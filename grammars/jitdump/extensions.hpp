// Who fills the seam: nothing else of this folder names the extension.
#pragma once

#include "grammars/samply/samply.hpp"

namespace tracelint::jitdump {

inline constexpr const ExtensionKind& kExtension = samply::kExtension;

}  // namespace tracelint::jitdump
