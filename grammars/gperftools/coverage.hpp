// gperftools, section 5.3: which sampled PCs and return addresses the mappings explain.
#pragma once

#include "grammars/gperftools/profile.hpp"

namespace tracelint::gperftools {

// pc-unmapped-leaf and pc-unmapped-caller, when the profile is over.
void check_coverage(Profile& profile);

}  // namespace tracelint::gperftools
