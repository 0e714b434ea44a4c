// A structured mutator: takes a file apart with the format's tables and changes records and fields, so that
// what it makes is broken in one place rather than everywhere.
#pragma once

#include <string>

#include "validator/generator/generator.hpp"

namespace tracelint {

// Changes bytes in place without knowing what they mean, as LLVMFuzzerMutate does; returns the new size.
using PlainMutator = size_t (*)(uint8_t* data, size_t size, size_t max_size);

// Changes `data`, which has room for `max_size` bytes, and returns the new size. One time in four, and
// where no format is known (null), the plain mutator does it.
size_t mutate(const Format* format, uint8_t* data, size_t size, size_t max_size, uint64_t seed, PlainMutator plain);

// The same for a file of a known format, always by its tables.
std::string mutated(const Generator& generator, Bytes file, uint64_t seed);

// Records of both files mixed.
std::string spliced(const Format& format, Bytes file, Bytes other, uint64_t seed);

// The format that is surest that a file which starts like this is its own; null: none.
const Format* format_of(Bytes file);

}  // namespace tracelint
