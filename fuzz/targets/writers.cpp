// Any bytes under any name: every output parses.
#include "fuzz/targets/structured.hpp"
#include "fuzz/writers_oracle.hpp"

constexpr size_t kSmall = 512;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t name = std::min<uint64_t>(size, parameters_of(bytes) % 16);
    Input input = input_of(bytes);
    if (size > kSmall) input.kept_per_rule = kShownPerRule;  // as for a user; what a finding may hold, small files show
    require(writers(input, std::string(as_text(bytes.last(name)))));
    return 0;
}
