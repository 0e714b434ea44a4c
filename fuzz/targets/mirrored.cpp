// A valid file has the same findings in the other byte order: the input itself, or a file generated from it.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const bool is_seed = (parameters_of(bytes) >> 40) % 2 == 0;
    require(is_seed ? mirrored(generator_for(bytes), generate_options(bytes))
                    : mirrored_file(format_for(bytes), bytes));
    return 0;
}
