// Any bytes: the check ends within its bounds, and every finding lies in the file.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(never_crash(input_of(bytes)));
    return 0;
}
