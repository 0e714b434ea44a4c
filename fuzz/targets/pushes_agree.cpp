// Any bytes, fed in pieces of any size, through queues of any size: the report of a pipe.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(pushes_agree(input_of(bytes), parameters_of(bytes) >> 8));
    return 0;
}
