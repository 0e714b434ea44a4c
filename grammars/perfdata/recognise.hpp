// perf.data, section 2: whether a file is a perf.data file, and in which byte order.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfdata {

// Whether the file has version 1 of the format.
bool has_legacy_magic(Bytes bytes);

// The byte order of a file that begins with one of the magic numbers. Version 1 needs 24 bytes, or 16 of a
// stream.
std::optional<ByteOrder> order_of_magic(Bytes bytes);

int recognise(const Opening& opening);

}  // namespace tracelint::perfdata
