// Dictionaries for AFL++ and libFuzzer, made from the tables.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// A line for each distinct value, NAME="\x01\x02", where NAME is the record and the field that the value was found in
// first. Values are those that the tables name or compare a field with, in both byte orders or in LEB128, and the texts
// that most generated files have, such as magic numbers. The same for every call.
std::string dictionary_of(const Format& format);

}  // namespace tracelint
