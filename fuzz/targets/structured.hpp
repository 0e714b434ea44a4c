// Replaces libFuzzer's mutator by the structured one, for targets whose input is a file. Include it once.
#pragma once

#include "fuzz/targets/target.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    return tracelint::mutate(tracelint::known_format({data, size}), data, size, max_size, seed, LLVMFuzzerMutate);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size,
                                            uint8_t* out, size_t max_size, unsigned seed) {
    using namespace tracelint;
    const std::string mixed = spliced(format_for({data, size}), {data, size}, {other, other_size}, seed);
    const size_t length = std::min(mixed.size(), max_size);
    std::memcpy(out, mixed.data(), length);
    return length;
}
