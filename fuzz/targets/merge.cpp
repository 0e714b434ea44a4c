// Any bytes as a part of a fleet's results: files that are written as they were, or a fault.
#include "fuzz/merge_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(part_holds(as_text({data, size})));
    return 0;
}
