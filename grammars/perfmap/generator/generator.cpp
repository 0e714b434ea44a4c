// perf map: what makes files, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/perfmap/generator/model.hpp"

namespace tracelint {
namespace perfmap {
namespace {

constexpr const FaultList* kFaults[] = {&kLineFaults, &kNumberFaults, &kNameFaults};

}  // namespace
}  // namespace perfmap

constinit const Generator kPerfmapGenerator{
    .format = &kPerfmap, .model = perfmap::make_model, .faults = perfmap::kFaults};

}  // namespace tracelint
