// The list of formats: a folder here, a line below.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

extern const Format kJitdump;
extern const Format kXray;
extern const Format kGperftools;
extern const Format kMlpd;
extern const Format kPerfmap;
extern const Format kPerfdata;

inline constexpr const Format* kFormats[] = {
    &kJitdump, &kXray, &kGperftools, &kMlpd, &kPerfmap, &kPerfdata,
};

}  // namespace tracelint
