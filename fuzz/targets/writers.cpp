// Any bytes under any name: every output parses. Each input goes to one writer.
#include "fuzz/targets/structured.hpp"
#include "fuzz/writers_oracle.hpp"

constexpr size_t kSmall = 512;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t parameters = parameters_of(bytes), name = std::min<uint64_t>(size, parameters % 16);
    const std::span<const WriterKind> writer = writer_kinds().subspan((parameters >> 8) % writer_kinds().size(), 1);
    Input input = input_of(bytes);
    if (size > kSmall) input.kept_per_rule = kShownPerRule;  // as for a user; what a finding may hold, small files show
    require(writers(input, std::string(as_text(bytes.last(name))), writer));
    return 0;
}
