// Any bytes: decoding and encoding reproduces them.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(round_trip(format_for(bytes), bytes));
    return 0;
}
