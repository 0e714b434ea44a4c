// Any bytes under any file name: every output parses. Each input is given to one writer.
#include "fuzz/run_oracle.hpp"
#include "fuzz/targets/structured.hpp"

constexpr uint64_t kFew = 4;    // findings kept per rule in files that are not small, to save time
constexpr size_t kSmall = 512;  // bytes

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tracelint;
    const Bytes bytes(data, size);
    const uint64_t parameters = parameters_of(bytes);
    const std::string name(as_text(bytes.last(std::min<uint64_t>(size, parameters % 16))));
    const WriterKind& writer = writer_kinds()[(parameters >> 8) % writer_kinds().size()];
    Input input = input_of(bytes);
    if (size > kSmall) input.kept_per_rule = kFew;
    const Outcome outcome = check_all(input);
    if ((parameters >> 16) % 4 == 0)
        write_in_colour(writer, {name, outcome});
    else
        require(writes(writer, {name, outcome}));
    if (writer.name == "html") require(page(input));
    if ((parameters >> 32) % 8 == 0) require(has_no_lookalike(writer, name));
    if ((parameters >> 24) % 4 == 0) require(run_of(writer, input, name));
    return 0;
}
