// toy, section 2: whether a file is a toy trace, and its byte order.
#pragma once

#include "validator/format.hpp"

namespace tracelint::toy {

// The byte order that the magic number gives; empty if `bytes` does not begin with the magic number.
std::optional<ByteOrder> order_of(Bytes bytes);

// How sure the first bytes make it that the file is a toy trace, in percent.
int recognise(const Opening& opening);

}  // namespace tracelint::toy
