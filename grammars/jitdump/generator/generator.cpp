// What makes files of the format, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/jitdump/generator/model.hpp"
#include "grammars/samply/generator/model.hpp"

namespace tracelint {
namespace jitdump {
namespace {

constexpr const FaultList* kFaults[] = {&kPlantedFaults, &samply::kPlantedFaults};

}  // namespace
}  // namespace jitdump

constinit const Generator kJitdumpGenerator{
    .format = &kJitdump, .model = jitdump::make_model, .faults = jitdump::kFaults};

}  // namespace tracelint
