// The list of generators: one for each format that has one.
#pragma once

#include "validator/generator/generator.hpp"

namespace tracelint {

extern const Generator kJitdumpGenerator;
extern const Generator kXrayGenerator;
extern const Generator kGperftoolsGenerator;
extern const Generator kMlpdGenerator;
extern const Generator kPerfmapGenerator;
extern const Generator kPerfdataGenerator;

inline constexpr const Generator* kGenerators[] = {
    &kJitdumpGenerator, &kXrayGenerator,    &kGperftoolsGenerator,
    &kMlpdGenerator,    &kPerfmapGenerator, &kPerfdataGenerator,
};

}  // namespace tracelint
