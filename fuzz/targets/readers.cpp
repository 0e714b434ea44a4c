// Any bytes: what each reader will do with them can be told, within limits, if a read fails, and if a signal comes.
#include "fuzz/readers_oracle.hpp"
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t seed = parameters_of(bytes) >> 8;
    require(readers_told(bytes));
    require(readers_within_limits(bytes, seed));
    require(readers_fail(bytes, 1 + seed % 16));
    require(readers_end(bytes, 1 + seed % 16));
    return 0;
}
