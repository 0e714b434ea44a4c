// Any bytes: every read by name equals that of the table interpreter.
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(fast_equals_plain(input_of(bytes)));
    return 0;
}
