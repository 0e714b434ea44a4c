// Any text as a configuration: usable choices, or a mistake with its place.
#include "fuzz/configuration_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(configuration(as_text({data, size})));
    return 0;
}
