// What makes files of the format, as the engine sees it.
#include "grammars/formats.hpp"
#include "grammars/generators.hpp"
#include "grammars/gperftools/generator/model.hpp"

namespace tracelint {
namespace gperftools {
namespace {

constexpr const FaultList* kFaults[] = {&kPlantedFaults};

}  // namespace
}  // namespace gperftools

constinit const Generator kGperftoolsGenerator{
    .format = &kGperftools, .model = gperftools::make_model, .faults = gperftools::kFaults};

}  // namespace tracelint
