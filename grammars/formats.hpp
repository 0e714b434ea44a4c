// The list of formats: a folder here, a line below.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

extern const Format kJitdump;

inline constexpr const Format* kFormats[] = {
    &kJitdump,
};

}  // namespace tracelint
