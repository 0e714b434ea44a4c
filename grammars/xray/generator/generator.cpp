// The generator of the format: its model and its faults.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/xray/generator/faults.hpp"
#include "grammars/xray/generator/model.hpp"

namespace tracelint {
namespace xray {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults, &faults::kFileFaults,  &faults::kBufferFaults,
    &faults::kFieldFaults,  &faults::kBasicFaults, &faults::kProfileFaults,
};

}  // namespace
}  // namespace xray

constinit const Generator kXrayGenerator{.format = &kXray, .model = xray::make_model, .faults = xray::kFaults};

}  // namespace tracelint
