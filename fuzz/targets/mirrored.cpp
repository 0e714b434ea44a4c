// A valid file in the other byte order has the same findings.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(mirrored(generated_format(bytes), generate_options(bytes)));
    require(mirrored_file(format_for(bytes), bytes));
    return 0;
}
