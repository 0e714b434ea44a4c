// Up to four files as one group, by names and lengths (fuzz/judged_group.hpp): a recording, dumps, perf maps, or
// anything else.
#include "fuzz/judged_group.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(group_holds(files_in(bytes), parameters_of(bytes)));
    return 0;
}
