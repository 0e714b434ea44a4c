// What makes files of the format, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/xray/generator/model.hpp"

namespace tracelint {
namespace xray {
namespace {

constexpr const FaultList* kFaults[] = {&kPlantedFaults};

}  // namespace
}  // namespace xray

constinit const Generator kXrayGenerator{.format = &kXray, .model = xray::make_model, .faults = xray::kFaults};

}  // namespace tracelint
