// perf map, section 3.1: each line stands by itself.
#include "grammars/compositions.hpp"
#include "grammars/formats.hpp"

namespace tracelint {

constinit const Composition kPerfmapComposition{.format = &kPerfmap, .roles = {}};

}  // namespace tracelint
