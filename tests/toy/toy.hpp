// What the files of this folder offer to the format.
#pragma once

#include "validator/format.hpp"

namespace tracelint::toy {

// toy, section 2: whether a file is a toy trace, and its byte order.

// The byte order that the magic number gives; empty if `bytes` does not begin with the magic number.
std::optional<ByteOrder> order_of(Bytes bytes);

// How sure the first bytes make it that the file is a toy trace, in percent.
int recognise(const Opening& opening);

// toy, section 3: finds the records of a file without judging them.

std::unique_ptr<Framer> make_framer(const Settings& settings);

// toy, section 4.1: the walk over a file.

// Checks a file to its end and writes what it finds to the report of `context`.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::toy
