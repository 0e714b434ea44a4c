// The list of compositions.
#include "validator/salvage/composition.hpp"

#include <algorithm>

#include "grammars/compositions.hpp"

namespace tracelint {

const Composition* find_composition(const Format& format) {
    const auto found = std::ranges::find(kCompositions, &format, &Composition::format);
    return found == std::end(kCompositions) ? nullptr : *found;
}

}  // namespace tracelint
