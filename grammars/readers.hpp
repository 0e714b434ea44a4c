// The readers of the formats. They are not part of a Format, because the library for the web leaves them out.
#pragma once

#include "grammars/formats.hpp"
#include "validator/readers/reader.hpp"

namespace tracelint {

#define TRACELINT_DECLARED(name) extern const ReaderList k##name##Readers;
TRACELINT_FORMATS(TRACELINT_DECLARED)
#undef TRACELINT_DECLARED

#define TRACELINT_LISTED(name) &k##name##Readers,
inline constexpr const ReaderList* kReaderLists[] = {TRACELINT_FORMATS(TRACELINT_LISTED)};
#undef TRACELINT_LISTED

}  // namespace tracelint
