// The formats that salvage knows.
#pragma once

#include "validator/salvage/composition.hpp"

namespace tracelint {

extern const Composition kGperftoolsComposition;
extern const Composition kJitdumpComposition;
extern const Composition kMlpdComposition;
extern const Composition kNettraceComposition;
extern const Composition kPerfdataComposition;
extern const Composition kPerfmapComposition;
extern const Composition kPprofComposition;
extern const Composition kXrayComposition;

inline constexpr const Composition* kCompositions[] = {
    &kJitdumpComposition, &kXrayComposition,     &kGperftoolsComposition, &kMlpdComposition,
    &kPerfmapComposition, &kPerfdataComposition, &kPprofComposition,      &kNettraceComposition};

}  // namespace tracelint
