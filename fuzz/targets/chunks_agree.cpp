// Any bytes, read in pieces of any size: the same report.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(chunks_agree(input_of(bytes), parameters_of(bytes) >> 8));
    return 0;
}
