// Any bytes as a list of files: names, or a fault with its line.
#include "fuzz/file_list_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    require(file_list(as_text(bytes), parameters_of(bytes)));
    return 0;
}
