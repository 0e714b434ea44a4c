// The generator of the format: its model and its faults.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/mlpd/generator/faults.hpp"
#include "grammars/mlpd/generator/model.hpp"

namespace tracelint {
namespace mlpd {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults,  &faults::kBufferFaults, &faults::kFramingFaults, &faults::kFieldFaults,
    &faults::kCounterFaults, &faults::kHeapFaults,   &faults::kLoadFaults,    &faults::kThreadFaults,
};

}  // namespace
}  // namespace mlpd

constinit const Generator kMlpdGenerator{.format = &kMlpd, .model = mlpd::make_model, .faults = mlpd::kFaults};

}  // namespace tracelint
