// Any bytes under any name: every output parses.
#include "fuzz/targets/structured.hpp"
#include "fuzz/writers_oracle.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t name = std::min<uint64_t>(size, parameters_of(bytes) % 16);
    require(writers(input_of(bytes), std::string(as_text(bytes.last(name)))));
    return 0;
}
