// Any bytes with little memory and a low limit on records: no finding is made up, and none is missing without a word.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(within_limits(input_of(bytes), parameters_of(bytes) >> 8));
    return 0;
}
