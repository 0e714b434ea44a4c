// The generator of the format: its model and its faults.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/generator/model.hpp"
#include "grammars/samply/generator/model.hpp"

namespace tracelint {
namespace jitdump {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kFramingFaults,          &faults::kCodeFaults,         &faults::kDebugInfoFaults,
    &faults::kUnwindingFaults,        &faults::kFrameFaults,        &samply::faults::kSharedFaults,
    &samply::faults::kPendingFaults,  &samply::faults::kTreeFaults, &samply::faults::kNestingFaults,
    &samply::faults::kPositionFaults,
};

}  // namespace
}  // namespace jitdump

constinit const Generator kJitdumpGenerator{
    .format = &kJitdump, .model = jitdump::make_model, .faults = jitdump::kFaults};

}  // namespace tracelint
