// The input is a seed and chooses a fault, which is planted in a generated file and must be found there.
#include <map>

#include "fuzz/targets/target.hpp"

namespace tracelint {
namespace {

using FaultsByFormat = std::map<const Format*, std::vector<PlantedFault>>;

FaultsByFormat all_faults() {
    FaultsByFormat faults;
    for (const Format* format : formats()) faults[format] = faults_of(*format);
    return faults;
}

}  // namespace
}  // namespace tracelint

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const Generator& generator = generator_for(bytes);
    static const FaultsByFormat by_format = all_faults();
    const std::vector<PlantedFault>& faults = by_format.at(generator.format);
    if (faults.empty()) return 0;
    require(planted_fault(generator, faults[(parameters_of(bytes) >> 16) % faults.size()], generate_options(bytes)));
    return 0;
}
