// Any bytes: at most one format claims them, by the opening alone, and any format may be forced.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(recognition(bytes, parameters_of(bytes)));
    require(never_crash({bytes, formats()[(parameters_of(bytes) >> 40) % formats().size()]}));
    return 0;
}
