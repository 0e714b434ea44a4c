// A structured mutator: decodes a file with the format's tables and changes records and fields, so the result is
// broken in one place rather than everywhere.
#pragma once

#include <string>

#include "validator/generator/generator.hpp"

namespace tracelint {

// Changes bytes in place without any knowledge of the format, as LLVMFuzzerMutate does; returns the new size.
using PlainMutator = size_t (*)(uint8_t* data, size_t size, size_t max_size);

// Changes `data`, which has room for `max_size` bytes, and returns the new size. The plain mutator takes one call in
// four, and every call if the format is unknown (null).
size_t mutate(const Format* format, uint8_t* data, size_t size, size_t max_size, uint64_t seed, PlainMutator plain);

// Mutates a file of the generator's format.
std::string mutated(const Generator& generator, Bytes file, uint64_t seed);

// Inserts some records of `other` into `file`.
std::string spliced(const Format& format, Bytes file, Bytes other, uint64_t seed);

// The format that recognises the file with the highest confidence; null if none does.
const Format* format_of(Bytes file);

}  // namespace tracelint
