// Any bytes as a manifest: entries, or a fault with its line.
#include "fuzz/merge_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(manifest_holds(as_text(bytes), parameters_of(bytes)));
    return 0;
}
