// What libFuzzer targets share: how bytes become the input and the parameters of an oracle, and how a complaint
// ends the program.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "fuzz/mutate.hpp"
#include "fuzz/oracles.hpp"

namespace tracelint {

inline void require(const Complaint& complaint) {
    if (!complaint) return;
    std::fprintf(stderr, "%s\n", complaint->c_str());
    std::abort();
}

// Chunk sizes, cuts and the like: the end of the input. It stays part of the file, so that files are seeds
// as they are.
inline uint64_t parameters_of(Bytes input) {
    uint64_t parameters = 0;
    for (size_t i = 0; i < std::min<size_t>(8, input.size()); ++i)
        parameters = parameters << 8 | input[input.size() - 1 - i];
    return parameters * 0x9e3779b97f4a7c15;  // spreads the few bits of small numbers
}

// The format of the bytes, or one that is forced upon them.
inline const Format& format_for(Bytes file) {
    const Format* recognised = format_of(file);
    return recognised != nullptr ? *recognised : *formats()[parameters_of(file) % formats().size()];
}

inline Input input_of(Bytes file) {
    const uint64_t parameters = parameters_of(file);
    return {file, parameters % 2 == 0 ? nullptr : &format_for(file)};
}

// Of targets that generate their files. Longer ones have nothing new in them.
inline constexpr uint64_t kLargestGenerated = 8192;
inline GenerateOptions generate_options(Bytes input) {
    GenerateOptions options;
    options.seed = parameters_of(input);
    options.size = std::min<uint64_t>(input.size() * 16, kLargestGenerated);
    if (!input.empty() && input[0] % 3 != 0)
        options.model.byte_order = input[0] % 3 == 1 ? ByteOrder::little : ByteOrder::big;
    return options;
}

inline const Format& generated_format(Bytes input) {
    return *formats()[(parameters_of(input) >> 32) % formats().size()];
}

}  // namespace tracelint
