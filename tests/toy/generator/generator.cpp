// Toy trace: what makes files, as the engine sees it.
#include "tests/toy/formats.hpp"
#include "tests/toy/generator/model.hpp"
#include "tests/toy/generators.hpp"

namespace tracelint {
namespace toy {
namespace {

constexpr const FaultList* kFaults[] = {&kFramingFaults, &kTaskFaults};

}  // namespace
}  // namespace toy

constinit const Generator kToyGenerator{.format = &kToy, .model = toy::make_model, .faults = toy::kFaults};

}  // namespace tracelint
