// The input is a seed: what is generated from it has no error and no warning, and is read as it was written.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(generated_is_sound(generator_for(bytes), generate_options(bytes)));
    return 0;
}
