// What makes files of the format, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/mlpd/generator/model.hpp"

namespace tracelint {
namespace mlpd {
namespace {

constexpr const FaultList* kFaults[] = {&kPlantedFaults};

}  // namespace
}  // namespace mlpd

constinit const Generator kMlpdGenerator{.format = &kMlpd, .model = mlpd::make_model, .faults = mlpd::kFaults};

}  // namespace tracelint
