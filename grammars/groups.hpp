// The list of grammars of groups: what files that belong together must say of each other.
#pragma once

#include "validator/group.hpp"

namespace tracelint {

extern const GroupGrammar kSiblings;

inline constexpr const GroupGrammar* kGroupGrammars[] = {&kSiblings};

}  // namespace tracelint
