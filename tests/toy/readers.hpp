// Replaces grammars/readers.hpp.
#pragma once

#include "validator/readers/reader.hpp"

namespace tracelint {

extern const ReaderList kToyReaders;

}  // namespace tracelint
