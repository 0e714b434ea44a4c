// Any bytes with the format of the target forced: the check ends within its bounds, and every finding lies in the file.
// Uses libFuzzer's own mutator.
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(never_crash(forced_input(bytes)));
    return 0;
}
