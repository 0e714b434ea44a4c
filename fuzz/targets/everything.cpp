// Any bytes: all that can be asked of a file is answered within one budget of work.
#include "fuzz/everything_oracle.hpp"
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(everything({data, size}));
    return 0;
}
