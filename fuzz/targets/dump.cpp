// Any bytes: every kind of dump of all or a part of them parses, and is bounded.
#include "fuzz/dump_output_oracle.hpp"
#include "fuzz/targets/structured.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    Random random(parameters_of(bytes));
    require(dump_output(input_of(bytes), any_selection(random, size)));
    return 0;
}
