// Dictionaries for libFuzzer, made from the tables.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// The named and checked values of the format's fields in both byte orders, one per line.
std::string dictionary_of(const Format& format);

}  // namespace tracelint
