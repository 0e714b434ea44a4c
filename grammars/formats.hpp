// The list of formats: a folder here, a line below.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

extern const Format kJitdump;
extern const Format kXray;

inline constexpr const Format* kFormats[] = {
    &kJitdump,
    &kXray,
};

}  // namespace tracelint
