// Any bytes, taken for the one format that the target is made for: the check ends within its bounds and points into
// the file. Bytes are changed without knowing what they mean.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(never_crash(forced_input(bytes)));
    return 0;
}
