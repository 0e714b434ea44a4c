// Numbers as people read them, by what they measure.
#pragma once

#include <string>

#include "validator/tables/describe.hpp"

namespace tracelint {

// "0x7f00", "4096 bytes", "65536 bytes = 64.0 KiB", "1.000000123 s", "12.5 µs", "2026-11-29 22:04:01.123 UTC". No digit
// of the number is lost. Empty: the number is best read as it is.
std::string quantity_text(Quantity quantity, uint64_t number);

}  // namespace tracelint
