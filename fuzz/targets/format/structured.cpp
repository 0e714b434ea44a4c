// As raw.cpp, with the structured mutator.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(never_crash(forced_input(bytes)));
    return 0;
}
