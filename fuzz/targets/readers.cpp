// Any bytes: what each reader will do with them can be told.
#include "fuzz/readers_oracle.hpp"
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(readers_told({data, size}));
    return 0;
}
