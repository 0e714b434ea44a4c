// Any text as a baseline: entries that come out as they went in, or a mistake with its place.
#include "fuzz/baseline_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(baseline_holds(as_text({data, size})));
    return 0;
}
