// gperftools, section 3.4.4: which sampled PCs and return addresses lie in an executable mapping.
#pragma once

#include "grammars/gperftools/profile.hpp"

namespace tracelint::gperftools {

// Call when the profile is over. Its leaves are settled.
void check_unmapped_pcs(Profile& profile);

extern const RuleList kUnmappedPcRules;

}  // namespace tracelint::gperftools
