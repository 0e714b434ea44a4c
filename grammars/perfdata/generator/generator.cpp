// perf.data: what makes files, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/perfdata/generator/model.hpp"

namespace tracelint {
namespace perfdata {
namespace {

constexpr const FaultList* kFaultLists[] = {&kHeaderFaults, &kAttributeFaults, &kFeatureFaults,
                                            &kRecordFaults, &kSampleFaults,    &kCompressionFaults};

}  // namespace
}  // namespace perfdata

constinit const Generator kPerfdataGenerator{
    .format = &kPerfdata, .model = perfdata::make_model, .faults = perfdata::kFaultLists};

}  // namespace tracelint
