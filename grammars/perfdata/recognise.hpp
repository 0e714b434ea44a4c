// perf.data, section 2: whether a file is a perf.data file, and in which byte order.
#pragma once

#include "validator/format.hpp"

namespace tracelint::perfdata {

// The byte order of a file that begins with one of the magic numbers.
std::optional<ByteOrder> order_of_magic(Bytes bytes);

int recognise(const Opening& opening);

}  // namespace tracelint::perfdata
