// Any arguments, one per line: usable options, an answer or an error.
#include "fuzz/command_line_oracle.hpp"
#include "fuzz/targets/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    require(command_line(words_of(as_text({data, size}))));
    return 0;
}
