// Any bytes: packed, they have the findings that they have unpacked, or a damaged container is told; or, taken for a
// container as they are, they give the same report in any pieces.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t seed = parameters_of(bytes) >> 8;
    require(is_container(bytes) ? chunks_agree(input_of(bytes), seed) : container(input_of(bytes), seed));
    return 0;
}
