// Any sequence of calls of the C interface, misuse included: no crash, and each call returns what it deserves. The last
// bytes of the file choose the calls.
#include "fuzz/c_interface_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    tracelint::require(tracelint::c_interface({data, size}));
    return 0;
}
