// Dictionaries for libFuzzer out of the tables.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// The named and checked values of the format's fields, in both byte orders, one a line.
std::string dictionary_of(const Format& format);

}  // namespace tracelint
