// Any bytes. A container, gzip or zstd, gives the same report however it is read. Other bytes have the same findings
// when compressed, and damage to the container is reported.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t seed = parameters_of(bytes) >> 8;
    require(is_container(bytes) ? chunks_agree(input_of(bytes), seed) : container(input_of(bytes), seed));
    return 0;
}
