// The generator of the format: its model and its faults.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/gperftools/generator/faults.hpp"
#include "grammars/gperftools/generator/model.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr const FaultList* kFaults[] = {
    &faults::kHeaderFaults,
    &faults::kRecordFaults,
    &faults::kTextFaults,
    &faults::kMappingFaults,
};

}  // namespace
}  // namespace gperftools

constinit const Generator kGperftoolsGenerator{
    .format = &kGperftools, .model = gperftools::make_model, .faults = gperftools::kFaults};

}  // namespace tracelint
