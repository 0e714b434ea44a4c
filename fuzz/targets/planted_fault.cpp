// The input is a seed and chooses a fault: planted in a generated file, it is found where it was planted.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const Format& format = generated_format(bytes);
    const std::vector<PlantedFault> faults = faults_of(format);
    if (faults.empty()) return 0;
    require(planted_fault(format, faults[(parameters_of(bytes) >> 16) % faults.size()], generate_options(bytes)));
    return 0;
}
