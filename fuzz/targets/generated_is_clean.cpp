// The input is a seed. The file generated from it has no error and no warning, and decodes to the generated values.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(generated_is_sound(generator_for(bytes), generate_options(bytes)));
    return 0;
}
