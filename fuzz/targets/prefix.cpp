// Any bytes, truncated anywhere: the findings before the cut stay the same.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(prefix(format_for(bytes), bytes, (parameters_of(bytes) >> 8) % (size + 1)));
    return 0;
}
